package main

// What is changed.

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"
)

// A mutation is a file with one change.
type mutation struct {
	path         string
	line, column int
	what         string
	text         string // of the whole file
}

func (m mutation) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", filepath.Base(m.path), m.line, m.column, m.what)
}

// swapped is what an operator becomes.
var swapped = map[token.Token][]token.Token{
	token.EQL:     {token.NEQ},
	token.NEQ:     {token.EQL},
	token.LSS:     {token.LEQ, token.GEQ},
	token.LEQ:     {token.LSS, token.GTR},
	token.GTR:     {token.GEQ, token.LEQ},
	token.GEQ:     {token.GTR, token.LSS},
	token.LAND:    {token.LOR},
	token.LOR:     {token.LAND},
	token.ADD:     {token.SUB},
	token.SUB:     {token.ADD},
	token.MUL:     {token.QUO},
	token.QUO:     {token.MUL},
	token.AND:     {token.OR},
	token.OR:      {token.AND},
	token.SHL:     {token.SHR},
	token.SHR:     {token.SHL},
	token.AND_NOT: {token.AND},
}

// mutations returns all changes of a file: operators, conditions, numbers,
// true and false, and statements that are left out.
func mutations(fset *token.FileSet, file *ast.File, path, text string) []mutation {
	var all []mutation
	// put replaces the source between two positions.
	put := func(from, to token.Pos, with string) {
		at := fset.Position(from)
		i, j := at.Offset, fset.Position(to).Offset
		old := text[i:j]
		if line, _, cut := strings.Cut(old, "\n"); cut {
			old = line + " …"
		}
		what := fmt.Sprintf("%q for %q", with, old)
		if with == "" {
			what = fmt.Sprintf("without %q", old)
		}
		all = append(all, mutation{path, at.Line, at.Column, what, text[:i] + with + text[j:]})
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok != token.IMPORT
		case *ast.BinaryExpr:
			for _, op := range swapped[n.Op] {
				put(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), op.String())
			}
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				put(n.OpPos, n.X.Pos(), "")
			}
		case *ast.IncDecStmt:
			op := map[token.Token]string{token.INC: "--", token.DEC: "++"}[n.Tok]
			put(n.TokPos, n.End(), op)
		case *ast.BasicLit:
			if n.Kind == token.INT {
				put(n.Pos(), n.End(), "("+n.Value+"+1)")
			}
		case *ast.Ident:
			switch n.Name {
			case "true":
				put(n.Pos(), n.End(), "false")
			case "false":
				put(n.Pos(), n.End(), "true")
			}
		case *ast.BranchStmt:
			if other := map[token.Token]string{token.BREAK: "continue", token.CONTINUE: "break"}[n.Tok]; other != "" && n.Label == nil {
				put(n.Pos(), n.End(), other)
			}
		case *ast.BlockStmt:
			leaveOut(n.List, put)
		case *ast.CaseClause:
			leaveOut(n.Body, put)
		}
		return true
	})
	return all
}

// leaveOut drops each statement that a program may do without.
func leaveOut(list []ast.Stmt, put func(from, to token.Pos, with string)) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			put(s.Pos(), s.End(), "")
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				put(s.Pos(), s.End(), "")
			}
		case *ast.IfStmt:
			if s.Else == nil {
				put(s.Body.Pos(), s.Body.End(), "{}")
			}
		}
	}
}
