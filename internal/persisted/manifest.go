package persisted

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// A Manifest has documents by their hash. It is never changed once it is read.
type Manifest map[string]string

// ParseManifest reads {"SHA-256 of the text": "text"}, where a hash may begin with "sha256:", as
// graphql-codegen writes persisted documents with hashAlgorithm sha256. An error names the hash that
// is not its text's.
func ParseManifest(text []byte) (Manifest, error) {
	var read map[string]string
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, err
	}
	m := make(Manifest, len(read))
	for named, document := range read {
		hash := Digest(named)
		if Hash(document) != hash {
			return nil, fmt.Errorf("%s is not the SHA-256 of its document", named)
		}
		m[hash] = document
	}
	return m, nil
}

// ReadManifests reads the .json files of a folder as one manifest. A folder without any, or without
// a document in them, is an error.
func ReadManifests(folder string) (Manifest, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	all := Manifest{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		m, err := ParseManifest(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for hash, document := range m {
			all[hash] = document
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no manifest with documents", folder)
	}
	return all, nil
}
