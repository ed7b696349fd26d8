package harness

import (
	"io"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// bucketName names the bucket of each fake.
const bucketName = "pictures"

// A Bucket is the only one of a fake S3 in this process.
type Bucket struct {
	URL   string                      // in the form of --files
	Clock gofakes3.TimeSourceAdvancer // says when an object was written

	objects *s3mem.Backend
}

// NewBucket returns an empty bucket, whose clock stands still. It sets the credentials of
// the environment.
func NewBucket(t *testing.T, at time.Time) *Bucket {
	t.Helper()
	b := &Bucket{Clock: gofakes3.FixedTimeSource(at)}
	b.objects = s3mem.New(s3mem.WithTimeSource(b.Clock))
	if err := b.objects.CreateBucket(bucketName); err != nil {
		t.Fatal(err)
	}
	fake := httptest.NewServer(gofakes3.New(b.objects).Server())
	t.Cleanup(fake.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_CONFIG_FILE", "/dev/null")
	b.URL = "s3://" + bucketName + "?region=ap-southeast-3&endpoint=" + url.QueryEscape(fake.URL)
	return b
}

// Objects returns all that the bucket holds, by key.
func (b *Bucket) Objects(t *testing.T) map[string]string {
	t.Helper()
	list, err := b.objects.ListBucket(bucketName, &gofakes3.Prefix{}, gofakes3.ListBucketPage{})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, entry := range list.Contents {
		object, err := b.objects.GetObject(bucketName, entry.Key, nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(object.Contents)
		if err != nil {
			t.Fatal(err)
		}
		all[entry.Key] = string(text)
	}
	return all
}

// Delete deletes an object.
func (b *Bucket) Delete(t *testing.T, key string) {
	t.Helper()
	if _, err := b.objects.DeleteObject(bucketName, key); err != nil {
		t.Fatal(err)
	}
}
