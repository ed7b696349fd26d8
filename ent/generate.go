// Package ent is the generated data layer; the schema in ent/schema is its source.
package ent

//go:generate go run -mod=mod entc.go
