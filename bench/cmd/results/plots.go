package main

// The plots.

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/brewer"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A chart is the scenarios that differ in their last key alone.
type chart struct {
	file, title, axis string
	ticks             []string
	cases             []*scenario
}

func (f *function) charts() (list []*chart) {
	for _, c := range f.cases {
		if len(c.keys) == 0 {
			continue
		}
		last := len(c.keys) - 1
		axis, tick, _ := strings.Cut(c.keys[last], "=")
		parts := []string{f.name}
		for _, k := range c.keys[:last] {
			_, value, _ := strings.Cut(k, "=")
			parts = append(parts, value)
		}
		file := strings.ToLower(strings.Join(parts, "-")) + ".svg"
		ch := find(&list, func(ch *chart) bool { return ch.file == file },
			&chart{file: file, title: strings.Join(parts, ", "), axis: axis})
		ch.ticks = append(ch.ticks, tick)
		ch.cases = append(ch.cases, c)
	}
	return list
}

// plots writes a file for each chart of f.
func (f *function) plots(dir string) error {
	for _, ch := range f.charts() {
		p, err := ch.plot(f.names())
		if err != nil {
			return err
		}
		width := max(18*vg.Centimeter, vg.Length(len(ch.ticks))*1.6*vg.Centimeter)
		canvas := vgsvg.New(width, 12*vg.Centimeter)
		p.Draw(draw.New(canvas))
		file, err := os.Create(filepath.Join(dir, ch.file))
		if err != nil {
			return err
		}
		if _, err := canvas.WriteTo(file); err != nil {
			file.Close()
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	return nil
}

func (ch *chart) plot(names []string) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = ch.title
	p.X.Label.Text = ch.axis
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(durations)
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.TextStyle.Font.Size = 9
	p.Legend.Padding = vg.Millimeter
	p.X.Tick.Label.Font.Size = 8
	if len(ch.ticks) > 8 {
		p.X.Tick.Label.Rotation = .5
		p.X.Tick.Label.XAlign = draw.XRight
	}
	p.NominalX(ch.ticks...)
	p.Add(plotter.NewGrid())
	colors, err := brewer.GetPalette(brewer.TypeQualitative, "Dark2", 8)
	if err != nil {
		return nil, err
	}
	lines := !slices.ContainsFunc(ch.ticks, func(s string) bool { _, err := strconv.Atoi(s); return err != nil })
	for i, by := range names {
		var points plotter.XYs
		for x, c := range ch.cases {
			if s := c.series(by); s != nil {
				points = append(points, plotter.XY{X: float64(x), Y: max(median(s.values[perOp]), .1)})
			}
		}
		if points == nil {
			continue
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, err
		}
		c := colors.Colors()[i%8]
		line.Color, line.Width = c, vg.Points(1.5)
		dots.Color, dots.Shape, dots.Radius = c, plotutil.Shape(i), vg.Points(3.5)
		p.Add(dots)
		p.Legend.Add(by, dots)
		if lines {
			p.Add(line)
		}
	}
	p.Y.Max *= 30 // the legend is above the lines
	return p, nil
}

// durations marks the powers of ten.
func durations(low, high float64) []plot.Tick {
	ticks := plot.LogTicks{Prec: -1}.Ticks(low, high)
	for i, t := range ticks {
		if t.Label != "" {
			ticks[i].Label = duration(t.Value)
		}
	}
	return ticks
}
