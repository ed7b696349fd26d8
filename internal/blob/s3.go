package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	awsconfig "github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// A bucket keeps objects in S3, or what speaks its protocol.
type bucket struct {
	name    string
	client  *s3.Client
	uploads *transfermanager.Client // sends large objects in parts
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
	base, err := baseOf(ctx, client, u.Host)
	return &bucket{u.Host, client, transfermanager.New(client), config}, base, err
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
	_, err := b.uploads.UploadObject(ctx, &transfermanager.UploadObjectInput{
		Bucket: &b.name, Key: &name, Body: r,
		ContentType:        &k.MediaType,
		ContentDisposition: aws.String(k.disposition("")),
		CacheControl:       aws.String(k.cacheControl()),
	})
	return failed(name, err)
}

func (b *bucket) stat(ctx context.Context, name string) (int64, time.Time, error) {
	object, err := b.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &b.name, Key: &name})
	if err != nil {
		return 0, time.Time{}, failed(name, err)
	}
	return aws.ToInt64(object.ContentLength), aws.ToTime(object.LastModified), nil
}

func (b *bucket) get(ctx context.Context, name string, offset int64) (io.ReadCloser, error) {
	in := &s3.GetObjectInput{Bucket: &b.name, Key: &name}
	if offset > 0 {
		in.Range = aws.String(fmt.Sprintf("bytes=%d-", offset))
	}
	object, err := b.client.GetObject(ctx, in)
	if err != nil {
		return nil, failed(name, err)
	}
	return object.Body, nil
}

// delete looks for the object first: a bucket that keeps versions remembers also the
// deletion of one that it does not have.
func (b *bucket) delete(ctx context.Context, name string) error {
	_, _, err := b.stat(ctx, name)
	if err == nil {
		_, err = b.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &b.name, Key: &name})
		err = failed(name, err)
	}
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// create writes an object on the condition that there is none. A service that knows no
// conditions (501) is asked without; two installations that claim a bucket of it at the
// same time notice with CheckMark alone. One that is busy with the object (409) is asked again.
func (b *bucket) create(ctx context.Context, name, text string) error {
	condition := aws.String("*")
	write := func() error {
		_, err := b.client.PutObject(ctx, &s3.PutObjectInput{
			Bucket: &b.name, Key: &name, Body: strings.NewReader(text),
			ContentType: aws.String("text/plain; charset=utf-8"), IfNoneMatch: condition,
		})
		return err
	}
	err := write()
	for try := 0; try < 3 && statusOf(err) == http.StatusConflict && ctx.Err() == nil; try++ {
		time.Sleep(100 * time.Millisecond)
		err = write()
	}
	if statusOf(err) == http.StatusNotImplemented {
		condition = nil
		err = write()
	}
	if statusOf(err) == http.StatusPreconditionFailed {
		return nil
	}
	return failed(name, err)
}

// failed returns what an error about an object means: ErrNotFound, or the error with the
// object's name.
func failed(name string, err error) error {
	switch {
	case err == nil:
		return nil
	case statusOf(err) == http.StatusNotFound:
		return ErrNotFound
	}
	return fmt.Errorf("blob: object %s: %w", name, err)
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
	source := url.QueryEscape(b.name + "/" + from)
	_, err := b.client.CopyObject(ctx, &s3.CopyObjectInput{Bucket: &b.name, Key: &to, CopySource: &source})
	switch err := failed(from, err); {
	case errors.Is(err, ErrNotFound):
		return nil
	case err != nil:
		return err
	}
	return b.delete(ctx, from)
}

// clean does nothing: a bucket has no object before all of it was sent.
func (b *bucket) clean(context.Context) error { return nil }

func (b *bucket) list(ctx context.Context, prefix string, each func(string, time.Time) error) error {
	in := &s3.ListObjectsV2Input{Bucket: &b.name, Prefix: &prefix}
	for {
		page, err := b.client.ListObjectsV2(ctx, in)
		if err != nil {
			return fmt.Errorf("blob: list: %w", err)
		}
		for _, object := range page.Contents {
			if err := each(aws.ToString(object.Key), aws.ToTime(object.LastModified)); err != nil {
				return err
			}
		}
		if page.NextContinuationToken == nil {
			return nil
		}
		in.ContinuationToken = page.NextContinuationToken
	}
}
