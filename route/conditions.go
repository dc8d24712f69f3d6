package route

// Conditions: what a request must have beside the host and the path, as the
// caller writes it.

import "fmt"

// Conditions is what a request must have beside what the Pattern says: all of
// it. The zero Conditions hold for every request.
//
// Scheme and Query are read from the URL, the rest from the Request; without a
// Request no condition on methods, headers or cookies holds, Absent included.
type Conditions struct {
	// Scheme is "http" or "https"; empty: any.
	Scheme string
	// Methods are the methods of which the request's must be one, compared with
	// letter case; empty: any.
	Methods []string
	// Headers are about header fields; the case of names does not matter.
	Headers []Condition
	// Cookies are about pairs of the Cookie header, which is read as one value.
	// Names are compared with letter case, values as they stand, quotes included.
	Cookies []Condition
	// Query is about pairs of the query. Names and values are compared decoded;
	// a name that does not decode is compared byte for byte, and in a value a "%"
	// that begins no escape is data.
	Query []Condition
}

// A Condition is about the value of one header field, cookie or query pair. Of
// several cookies or pairs with the name the first counts; fields with the same
// name are one value, as Request.Header returns it.
type Condition struct {
	Name  string
	Test  Test
	Value string // in plain text; of Matches a regular expression; of Present and Absent empty
}

// A Test says how a value is compared. The zero Test is Equals.
type Test int8

const (
	Equals     Test = iota // the value is Condition.Value
	BeginsWith             // the value begins with it
	Matches                // the whole value matches it, a regular expression of package regexp
	Present                // there is a value, which may be empty
	Absent                 // there is none
)

var testNames = [...]string{"Equals", "BeginsWith", "Matches", "Present", "Absent"}

// String returns the Go name of the test, or Test(n) for an unknown one.
func (t Test) String() string {
	if !t.valid() {
		return fmt.Sprintf("Test(%d)", int8(t))
	}
	return testNames[t]
}

func (t Test) valid() bool { return 0 <= t && int(t) < len(testNames) }

// String returns the condition in one line, such as `X-Canary Equals "always"`.
func (c Condition) String() string {
	s := c.Name + " " + c.Test.String()
	if c.Test != Present && c.Test != Absent {
		s += " " + quote(c.Value)
	}
	return s
}

// A Request is what conditions ask about a request that its URL does not say.
// rewritehttp.Of makes one of a *http.Request.
//
// Header returns the value of a header field and whether the request has it;
// several fields with the name are one value, joined by ", ", of Cookie by "; ".
// It is asked for names in canonical form, such as X-Canary. A lookup keeps
// nothing of what it is given.
type Request interface {
	Method() string
	Header(name string) (value string, ok bool)
}
