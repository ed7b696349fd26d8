package executor

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"

	"github.com/99designs/gqlgen/graphql"

	"workforce/internal/scalar"
)

// fingerprint returns a keyed digest of an operation and all that was sent with
// it, files included.
func (e *executor) fingerprint(oc *graphql.OperationContext) ([]byte, error) {
	variables, err := encodable(oc.Variables)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal([]any{oc.RawQuery, oc.OperationName, variables})
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, e.RequestKey)
	mac.Write(body)
	return mac.Sum(nil), nil
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
	case []any:
		if len(v) > 0 {
			if _, ok := v[0].(*scalar.Landmark); ok {
				return digestOfLandmarks(v), nil
			}
		}
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

// digestOfLandmarks stands for a face, whose hundreds of numbers would take
// longer to write than to hash.
func digestOfLandmarks(list []any) any {
	sum := sha256.New()
	var point [32]byte
	for _, l := range list {
		p := l.(*scalar.Landmark)
		for i, f := range [...]float64{p.X, p.Y, p.Z, p.Visibility} {
			binary.BigEndian.PutUint64(point[8*i:], math.Float64bits(f))
		}
		sum.Write(point[:])
	}
	return map[string]any{"sha256": sum.Sum(nil)}
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
