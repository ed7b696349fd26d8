package main

import (
	"errors"
	"fmt"
	"os"

	"workforce/internal/face"
)

// faceCmd measures comparisons of faces.
type faceCmd struct {
	Calibrate faceCalibrateCmd `cmd:"" help:"Print how far labelled captures of faces are apart, and the error rates of limits."`
}

type faceCalibrateCmd struct {
	File string `arg:"" type:"existingfile" help:"Captures: CSV (person, then x, y and z of each point), or JSON lines with person and points. docs/faces.md has the form."`
	SVG  string `name:"svg" type:"path" help:"Draw the distances and the error rates into this file."`
}

// Run implements the command.
func (c *faceCalibrateCmd) Run(io streams) error {
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	captures, err := face.ReadCaptures(file)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	result, err := face.CompareCaptures(captures)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	if err := result.Write(io.out); err != nil || c.SVG == "" {
		return err
	}
	return drawTo(c.SVG, result)
}

// drawTo draws a result into a file.
func drawTo(path string, result *face.Calibration) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(result.Draw(out), out.Close())
}
