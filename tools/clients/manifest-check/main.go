// Reads manifests of Kubernetes from its standard input as an API server does, and fails at the first field that
// the version it is built of does not know, has twice or has as another type.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) > 1 && os.Args[1] == "--version" {
		fmt.Println("Kubernetes 1.34.2")
		return
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		apps.AddToScheme, autoscaling.AddToScheme, core.AddToScheme, networking.AddToScheme, policy.AddToScheme,
	} {
		must(add(scheme))
	}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	documents := yaml.NewYAMLReader(bufio.NewReader(os.Stdin))
	count := 0
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		must(err)
		_, kind, err := decoder.Decode(document, nil, nil)
		if runtime.IsMissingKind(err) && kind == nil {
			continue
		}
		if err != nil {
			log.Fatalf("%v: %v", kind, err)
		}
		count++
	}
	if count == 0 {
		log.Fatal("nothing to read")
	}
	fmt.Println(count)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
