package blob

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	awsconfig "github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	cloud "gocloud.dev/blob"
	"gocloud.dev/blob/s3blob"
	"gocloud.dev/gcerrors"
)

// A bucket keeps objects in S3, or what speaks its protocol.
type bucket struct {
	objects *cloud.Bucket
	config  aws.Config
}

// openS3 opens a bucket without asking it anything, and returns the base of its links.
// A bucket at an endpoint is addressed in the path, any other by its host.
func openS3(ctx context.Context, u *url.URL) (*bucket, string, error) {
	endpoint, region := u.Query().Get("endpoint"), u.Query().Get("region")
	config, err := awsconfig.LoadDefaultConfig(ctx, func(o *awsconfig.LoadOptions) error {
		if region != "" {
			o.Region = region
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, "", err
	case config.Region == "":
		return nil, "", errors.New("the bucket needs a region: add region= or set AWS_REGION")
	}
	client := s3.NewFromConfig(config, func(o *s3.Options) {
		if endpoint != "" {
			o.BaseEndpoint, o.UsePathStyle = aws.String(strings.TrimSuffix(endpoint, "/")), true
		}
	})
	objects, err := s3blob.OpenBucket(ctx, client, u.Host, nil)
	if err != nil {
		return nil, "", err
	}
	base, err := baseOf(ctx, client, u.Host)
	return &bucket{objects, config}, base, err
}

// baseOf returns the URL of a bucket, to which a slash and a name are added.
func baseOf(ctx context.Context, client *s3.Client, name string) (string, error) {
	const key = "x"
	signed, err := s3.NewPresignClient(client).PresignGetObject(ctx, &s3.GetObjectInput{Bucket: aws.String(name), Key: aws.String(key)})
	if err != nil {
		return "", err
	}
	base, _, _ := strings.Cut(signed.URL, "?")
	return strings.TrimSuffix(base, "/"+key), nil
}

func (b *bucket) put(ctx context.Context, name string, r io.Reader) error {
	k := kindOf(name)
	return b.objects.Upload(ctx, name, r, &cloud.WriterOptions{
		ContentType: k.MediaType, ContentDisposition: k.disposition(), CacheControl: k.cacheControl(),
	})
}

func (b *bucket) stat(ctx context.Context, name string) (int64, time.Time, error) {
	a, err := b.objects.Attributes(ctx, name)
	if gcerrors.Code(err) == gcerrors.NotFound {
		err = ErrNotFound
	}
	if err != nil {
		return 0, time.Time{}, err
	}
	return a.Size, a.ModTime, nil
}

func (b *bucket) get(ctx context.Context, name string, offset int64) (io.ReadCloser, error) {
	r, err := b.objects.NewRangeReader(ctx, name, offset, -1, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (b *bucket) delete(ctx context.Context, name string) error {
	err := b.objects.Delete(ctx, name)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil
	}
	return err
}

// create writes an object on the condition that there is none. A service that knows no
// conditions (501) is asked without; two installations that claim a bucket of it at the
// same time notice with CheckMark alone. One that is busy with the object (409) is asked again.
func (b *bucket) create(ctx context.Context, name, text string) error {
	options := &cloud.WriterOptions{ContentType: "text/plain; charset=utf-8", IfNotExist: true}
	err := b.objects.WriteAll(ctx, name, []byte(text), options)
	for try := 0; try < 3 && statusOf(err) == http.StatusConflict && ctx.Err() == nil; try++ {
		time.Sleep(100 * time.Millisecond)
		err = b.objects.WriteAll(ctx, name, []byte(text), options)
	}
	if statusOf(err) == http.StatusNotImplemented {
		options.IfNotExist = false
		err = b.objects.WriteAll(ctx, name, []byte(text), options)
	}
	if gcerrors.Code(err) == gcerrors.FailedPrecondition {
		return nil
	}
	return err
}

// statusOf returns the HTTP status of a service's error; 0 for any other.
func statusOf(err error) int {
	if answer, ok := errors.AsType[*awshttp.ResponseError](err); ok {
		return answer.HTTPStatusCode()
	}
	return 0
}

// move copies an object within the bucket, with its media type, and deletes the other one.
func (b *bucket) move(ctx context.Context, from, to string) error {
	err := b.objects.Copy(ctx, to, from, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	return b.delete(ctx, from)
}

// clean does nothing: a bucket has no object before all of it was sent.
func (b *bucket) clean(context.Context) error { return nil }

func (b *bucket) list(ctx context.Context, prefix string, each func(string, time.Time) error) error {
	for all := b.objects.List(&cloud.ListOptions{Prefix: prefix}); ; {
		object, err := all.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := each(object.Key, object.ModTime); err != nil {
			return err
		}
	}
}
