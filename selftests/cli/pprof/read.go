// SPDX-License-Identifier: GPL-2.0-only

// Prints a profile as JSON, read by pprof's own package.
package main

import (
	"encoding/json"
	"os"

	"github.com/google/pprof/profile"
)

type sample struct {
	Stack  []string
	Lines  []int64
	Files  []string
	Values []int64
	Labels map[string][]string
}

type mapping struct {
	File, BuildID        string
	Start, Limit, Offset uint64
	HasFunctions         bool
}

type result struct {
	Types    []string
	Default  string
	Period   int64
	Per      string
	Time     int64
	Duration int64
	Comments []string
	Mappings []mapping
	Samples  []sample
}

func convert(p *profile.Profile) result {
	r := result{Default: p.DefaultSampleType, Period: p.Period, Time: p.TimeNanos, Duration: p.DurationNanos,
		Comments: p.Comments}
	if p.PeriodType != nil {
		r.Per = p.PeriodType.Type + "/" + p.PeriodType.Unit
	}
	for _, t := range p.SampleType {
		r.Types = append(r.Types, t.Type+"/"+t.Unit)
	}
	for _, m := range p.Mapping {
		r.Mappings = append(r.Mappings, mapping{m.File, m.BuildID, m.Start, m.Limit, m.Offset, m.HasFunctions})
	}
	for _, s := range p.Sample {
		o := sample{Values: s.Value, Labels: s.Label}
		for _, l := range s.Location {
			if len(l.Line) == 0 {
				o.Stack = append(o.Stack, "?")
				o.Lines = append(o.Lines, 0)
				o.Files = append(o.Files, "")
			}
			for _, line := range l.Line {
				o.Stack = append(o.Stack, line.Function.Name)
				o.Lines = append(o.Lines, line.Line)
				o.Files = append(o.Files, line.Function.Filename)
			}
		}
		r.Samples = append(r.Samples, o)
	}
	return r
}

func main() {
	p, err := profile.Parse(os.Stdin)
	if err == nil {
		err = p.CheckValid()
	}
	if err != nil {
		println(err.Error())
		os.Exit(1)
	}
	json.NewEncoder(os.Stdout).Encode(convert(p))
}
