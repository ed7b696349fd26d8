package main

import (
	"fmt"

	"workforce/internal/server"
)

// operationsCmd checks operation documents.
type operationsCmd struct {
	Check operationsCheckCmd `cmd:"" help:"Check a folder of documents together with the built-in ones."`
}

type operationsCheckCmd struct {
	jsonFlag
	Dir string `arg:"" type:"existingdir" help:"The folder."`
}

// Run implements the command.
func (c *operationsCheckCmd) Run(io streams) error {
	api, err := server.LoadAPI(c.Dir)
	if err != nil {
		return err
	}
	n := len(api.Endpoints())
	return c.print(io.out, map[string]any{"endpoints": n}, fmt.Sprintf("%d endpoints, all documents are good", n))
}

type openapiCmd struct {
	Postman bool `help:"Print a collection for Postman that tries every operation instead."`
}

// Run implements the command.
func (c openapiCmd) Run(io streams) error {
	doc, err := server.OpenAPI()
	if c.Postman {
		doc, err = server.Postman()
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(io.out, "%s\n", doc)
	return err
}

type schemaCmd struct{}

// Run implements the command.
func (schemaCmd) Run(io streams) error {
	_, err := io.out.Write(server.SDL())
	return err
}
