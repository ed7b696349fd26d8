package executor

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding"
	"encoding/json"
	"io"

	"github.com/99designs/gqlgen/graphql"
)

// fingerprints returns keyed digests of an operation and all that was sent with
// it, files included: one under each secret key, the one to store first. The key keeps
// what is stored from being a plain hash of a
// password. Texts count as they were sent: a password that is encrypted anew, as a
// JWE, makes another request, and the same JWE the same one.
func (e *Executor) fingerprints(oc *graphql.OperationContext) (sums [][]byte, err error) {
	variables, err := encodable(oc.Variables)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal([]any{oc.RawQuery, oc.OperationName, variables})
	if err != nil {
		return nil, err
	}
	for _, key := range e.RequestKey.Keys() {
		mac := hmac.New(sha256.New, key)
		mac.Write(body)
		sums = append(sums, mac.Sum(nil))
	}
	return sums, nil
}

// encodable returns a value with digests in place of its files, which have no JSON
// form.
func encodable(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case graphql.Upload:
		return digestOf(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			if out[name], err = encodable(member); err != nil {
				return nil, err
			}
		}
		return out, nil
	case encoding.BinaryAppender: // faster to hash than its JSON is to write
		binary, err := v.AppendBinary(nil)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(binary)
		return map[string]any{"sha256": sum[:]}, nil
	case []any:
		out := make([]any, len(v))
		for i, element := range v {
			if out[i], err = encodable(element); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return v, nil
}

// digestOf reads a file and winds it back.
func digestOf(u graphql.Upload) (any, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, u.File); err != nil {
		return nil, err
	}
	if _, err := u.File.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return map[string]any{"name": u.Filename, "type": u.ContentType, "sha256": sum.Sum(nil)}, nil
}
