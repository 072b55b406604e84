// Stores, reads, lists, copies and deletes objects with the AWS SDK for Go, as it is configured by default but
// for the style of URLs. What it finds wrong ends it.
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

func main() {
	log.SetFlags(0)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	settings, err := config.LoadDefaultConfig(ctx)
	must(err)
	client := s3.NewFromConfig(settings, func(options *s3.Options) { options.UsePathStyle = true })
	bucket := aws.String(os.Args[1])
	small(ctx, client, bucket)
	large(ctx, client, bucket)
	presigned(ctx, client, bucket)
	fmt.Println("all is well")
}

func small(ctx context.Context, client *s3.Client, bucket *string) {
	stored, err := client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: bucket, Key: aws.String("go/small.txt"),
		Body:        bytes.NewReader([]byte("of Go")),
		ContentType: aws.String("text/plain"),
		Metadata:    map[string]string{"author": "Ines"},
	})
	must(err)
	expect(aws.ToString(stored.ChecksumCRC32) != "", "a checksum of what was stored")
	read, err := client.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: aws.String("go/small.txt")})
	must(err)
	body, err := io.ReadAll(read.Body)
	must(err)
	expect(string(body) == "of Go", "the content")
	expect(read.Metadata["author"] == "Ines", "the metadata")
	expect(aws.ToString(read.ETag) == aws.ToString(stored.ETag), "the same ETag")

	_, err = client.CopyObject(ctx, &s3.CopyObjectInput{
		Bucket: bucket, Key: aws.String("go/copy.txt"), CopySource: aws.String(*bucket + "/go/small.txt"),
	})
	must(err)
	pages := s3.NewListObjectsV2Paginator(client, &s3.ListObjectsV2Input{
		Bucket: bucket, Prefix: aws.String("go/"), MaxKeys: aws.Int32(1),
	})
	var keys []string
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		must(err)
		for _, each := range page.Contents {
			keys = append(keys, *each.Key)
		}
	}
	expect(fmt.Sprint(keys) == "[go/copy.txt go/small.txt]", fmt.Sprint("the list, not ", keys))
	deleted, err := client.DeleteObjects(ctx, &s3.DeleteObjectsInput{Bucket: bucket, Delete: &types.Delete{
		Objects: []types.ObjectIdentifier{{Key: aws.String("go/copy.txt")}, {Key: aws.String("go/small.txt")}},
	}})
	must(err)
	expect(len(deleted.Deleted) == 2 && len(deleted.Errors) == 0, "both deleted")
	_, err = client.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: aws.String("go/small.txt")})
	var absent *types.NoSuchKey
	expect(errors.As(err, &absent), fmt.Sprint("NoSuchKey, not ", err))
}

func large(ctx context.Context, client *s3.Client, bucket *string) {
	content := make([]byte, 20<<20)
	_, err := rand.Read(content)
	must(err)
	// A reader that cannot seek: sent in chunks with a trailer.
	transfers := transfermanager.New(client)
	_, err = transfers.UploadObject(ctx, &transfermanager.UploadObjectInput{
		Bucket: bucket, Key: aws.String("go/large.bin"), Body: io.MultiReader(bytes.NewReader(content)),
	})
	must(err)
	file, err := os.CreateTemp("", "large")
	must(err)
	defer os.Remove(file.Name())
	_, err = transfers.DownloadObject(ctx, &transfermanager.DownloadObjectInput{
		Bucket: bucket, Key: aws.String("go/large.bin"), WriterAt: file,
	})
	must(err)
	back, err := os.ReadFile(file.Name())
	must(err)
	expect(bytes.Equal(back, content), "the large content")
}

func presigned(ctx context.Context, client *s3.Client, bucket *string) {
	signer := s3.NewPresignClient(client)
	request, err := signer.PresignPutObject(ctx, &s3.PutObjectInput{
		Bucket: bucket, Key: aws.String("go/presigned.txt"),
	}, s3.WithPresignExpires(time.Minute))
	must(err)
	put, err := http.NewRequest(request.Method, request.URL, bytes.NewReader([]byte("by URL")))
	must(err)
	stored, err := http.DefaultClient.Do(put)
	must(err)
	expect(stored.StatusCode == http.StatusOK, "stored by a URL")
	get, err := signer.PresignGetObject(ctx, &s3.GetObjectInput{
		Bucket: bucket, Key: aws.String("go/presigned.txt"),
	})
	must(err)
	read, err := http.Get(get.URL)
	must(err)
	body, err := io.ReadAll(read.Body)
	must(err)
	expect(string(body) == "by URL", "read by a URL")
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func expect(isSo bool, what string) {
	if !isSo {
		log.Fatal("expected ", what)
	}
}
