package blob

import (
	"context"
	"encoding/hex"
	"net/http"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/maypok86/otter/v2"
)

const (
	service     = "s3"
	dateFormat  = "20060102T150405Z"
	payload     = "UNSIGNED-PAYLOAD"
	cachedLinks = 32 << 10 // some 600 bytes each
)

// The query parameters of a link.
const (
	algorithm     = "X-Amz-Algorithm"
	credential    = "X-Amz-Credential"
	date          = "X-Amz-Date"
	expires       = "X-Amz-Expires"
	signedHeaders = "X-Amz-SignedHeaders"
	signature     = "X-Amz-Signature"
)

// A signer signs links in the form of AWS Signature Version 4 in the query.
type signer struct {
	base   string // of the links, without a slash at the end
	region string
	keys   aws.CredentialsProvider
	now    func() time.Time
	v4     *v4.Signer
	links  *otter.Cache[linkKey, string]
}

// A linkKey identifies a link: all of one object in an hour are the same.
type linkKey struct {
	name string
	hour int64
}

func newSigner(base, region string, keys aws.CredentialsProvider, now func() time.Time) *signer {
	return &signer{
		base: base, region: region, keys: keys, now: now,
		v4:    v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true }), // as S3 asks for
		links: otter.Must(&otter.Options[linkKey, string]{MaximumSize: cachedLinks}),
	}
}

// folderKeys returns the keys of a folder's links, which are derived from a key. The
// first bytes of it name it.
func folderKeys(key []byte) aws.CredentialsProvider {
	fixed := aws.Credentials{AccessKeyID: "WF" + hex.EncodeToString(key[:min(8, len(key))]), SecretAccessKey: hex.EncodeToString(key[min(8, len(key)):])}
	return aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return fixed, nil })
}

// link returns the link of an object that holds in this hour.
func (s *signer) link(name string) (string, error) {
	hour := s.now().UTC().Truncate(time.Hour)
	key := linkKey{name, hour.Unix()}
	if link, ok := s.links.GetIfPresent(key); ok {
		return link, nil
	}
	if err := checkName(name); err != nil {
		return "", err
	}
	link, err := s.sign(name, hour, Life)
	if err == nil {
		s.links.Set(key, link)
	}
	return link, err
}

// sign returns a link of an object that is valid for so long from an instant.
func (s *signer) sign(name string, at time.Time, life time.Duration) (string, error) {
	ctx := context.Background() // keys of the environment are kept until they expire
	keys, err := s.keys.Retrieve(ctx)
	if err != nil {
		return "", err
	}
	r, err := http.NewRequest(http.MethodGet, s.base+"/"+name+"?"+expires+"="+strconv.Itoa(int(life/time.Second)), nil)
	if err != nil {
		return "", err
	}
	link, _, err := s.v4.PresignHTTP(ctx, keys, r, payload, service, s.region, at)
	return link, err
}
