package blob

import (
	"context"
	"encoding/hex"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/maypok86/otter/v2"

	"workforce/internal/sealed"
)

const (
	service     = "s3"
	dateFormat  = "20060102T150405Z"
	payload     = "UNSIGNED-PAYLOAD"
	cachedLinks = 32 << 10 // some 600 bytes each, with a name some 800
)

// The query parameters of a link.
const (
	algorithm     = "X-Amz-Algorithm"
	credential    = "X-Amz-Credential"
	date          = "X-Amz-Date"
	expires       = "X-Amz-Expires"
	signedHeaders = "X-Amz-SignedHeaders"
	signature     = "X-Amz-Signature"
	disposition   = "response-content-disposition" // of the answer; only in links with a name
)

// A signer signs links in the form of AWS Signature Version 4 in the query.
type signer struct {
	base   string // of the links, without a slash at the end
	region string
	keys   func() []aws.CredentialsProvider // that links may have been signed with; the first signs
	now    func() time.Time
	v4     *v4.Signer
	links  *otter.Cache[linkKey, string]
}

// A linkKey identifies a link: all of one object under one name in an hour are the same.
type linkKey struct {
	name, saveAs string
	hour         int64
}

func newSigner(base, region string, keys func() []aws.CredentialsProvider, now func() time.Time) *signer {
	return &signer{
		base: base, region: region, keys: keys, now: now,
		v4:    v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true }), // as S3 asks for
		links: otter.Must(&otter.Options[linkKey, string]{MaximumSize: cachedLinks}),
	}
}

// folderKeys returns the keys of a folder's links. The first bytes of each name it.
func folderKeys(keys *sealed.Derived) (all []aws.CredentialsProvider) {
	for _, key := range keys.Keys() {
		fixed := aws.Credentials{
			AccessKeyID: "WF" + hex.EncodeToString(key[:8]), SecretAccessKey: hex.EncodeToString(key[8:]),
		}
		all = append(all, aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return fixed, nil }))
	}
	return all
}

// link returns the link of an object, saved under a name, that holds in this hour.
func (s *signer) link(name, saveAs string) (string, error) {
	hour := s.now().UTC().Truncate(time.Hour)
	key := linkKey{name, saveAs, hour.Unix()}
	if link, ok := s.links.GetIfPresent(key); ok {
		return link, nil
	}
	if err := checkName(name); err != nil {
		return "", err
	}
	link, err := s.sign(s.keys()[0], name, kindOf(name).disposition(saveAs), hour, Life)
	if err == nil {
		s.links.Set(key, link)
	}
	return link, err
}

// sign returns a link of an object that is valid for so long from an instant. A disposition that
// names a file is part of the link; the store answers with it.
func (s *signer) sign(by aws.CredentialsProvider, name, saved string, at time.Time,
	life time.Duration) (string, error) {
	ctx := context.Background() // keys of the environment are kept until they expire
	keys, err := by.Retrieve(ctx)
	if err != nil {
		return "", err
	}
	query := url.Values{expires: {strconv.Itoa(int(life / time.Second))}}
	if strings.Contains(saved, ";") {
		query.Set(disposition, saved)
	}
	r, err := http.NewRequest(http.MethodGet, s.base+"/"+name+"?"+query.Encode(), nil)
	if err != nil {
		return "", err
	}
	link, _, err := s.v4.PresignHTTP(ctx, keys, r, payload, service, s.region, at)
	return link, err
}
