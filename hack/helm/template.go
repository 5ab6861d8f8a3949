// Renders a chart as `helm template` does, as far as a chart without dependencies can tell: with Go's own templates, the
// functions of sprig, helm's own functions, and values checked against values.schema.json by the library that helm uses.
// It exists since Debian packages Go and those libraries, but no helm. find.ts beside it builds it.
//
//	template CHART RELEASE NAMESPACE < VALUES.json
//
// Prints each rendered file as a YAML document, NOTES.txt on standard error; a refusal on standard error, with exit code 1.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/xeipuuv/gojsonschema"
	"sigs.k8s.io/yaml"
)

type values = map[string]interface{}

func main() {
	if len(os.Args) != 4 {
		fail(errors.New("usage: template CHART RELEASE NAMESPACE < VALUES.json"))
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "Error:", err)
	os.Exit(1)
}

func run(chart, release, namespace string) error {
	var given, defaults, metadata values
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	if err := yaml.Unmarshal(input, &given); err != nil {
		return err
	}
	if err := readYaml(filepath.Join(chart, "values.yaml"), &defaults); err != nil {
		return err
	}
	if err := readYaml(filepath.Join(chart, "Chart.yaml"), &metadata); err != nil {
		return err
	}
	merged := merge(defaults, given)
	if err := check(filepath.Join(chart, "values.schema.json"), merged); err != nil {
		return err
	}
	root := values{
		"Values":       merged,
		"Chart":        capitalized(metadata),
		"Release":      values{"Name": release, "Namespace": namespace, "Service": "Helm", "IsInstall": true, "IsUpgrade": false, "Revision": 1},
		"Capabilities": values{"KubeVersion": values{"Version": "v1.36.0", "Major": "1", "Minor": "36"}},
	}
	return render(chart, fmt.Sprint(metadata["name"]), root)
}

func readYaml(file string, into *values) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := yaml.UnmarshalStrict(text, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// Chart.yaml's fields as templates name them: .Chart.AppVersion.
func capitalized(metadata values) values {
	result := values{}
	for name, value := range metadata {
		result[strings.ToUpper(name[:1])+name[1:]] = value
	}
	return result
}

// Given values over the defaults, field by field; null takes a default away.
func merge(defaults, given values) values {
	result := values{}
	for name, value := range defaults {
		result[name] = value
	}
	for name, value := range given {
		inner, isMap := value.(values)
		below, wasMap := result[name].(values)
		switch {
		case value == nil:
			delete(result, name)
		case isMap && wasMap:
			result[name] = merge(below, inner)
		default:
			result[name] = value
		}
	}
	return result
}

func check(schema string, merged values) error {
	text, err := os.ReadFile(schema)
	if err != nil {
		return err
	}
	document, err := json.Marshal(merged)
	if err != nil {
		return err
	}
	result, err := gojsonschema.Validate(gojsonschema.NewBytesLoader(text), gojsonschema.NewBytesLoader(document))
	if err != nil {
		return err
	}
	if result.Valid() {
		return nil
	}
	lines := []string{"values don't meet the specifications of the schema(s) in the following chart(s):"}
	for _, problem := range result.Errors() {
		lines = append(lines, "- "+problem.String())
	}
	return errors.New(strings.Join(lines, "\n"))
}

func render(chart, name string, root values) error {
	all := template.New(name).Option("missingkey=zero")
	all.Funcs(functions(all))
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return err
	}
	sort.Strings(files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := all.New(name + "/templates/" + filepath.Base(file)).Parse(string(text)); err != nil {
			return err
		}
	}
	for _, file := range files {
		base := filepath.Base(file)
		if strings.HasPrefix(base, "_") {
			continue
		}
		path := name + "/templates/" + base
		root["Template"] = values{"Name": path, "BasePath": name + "/templates"}
		var output bytes.Buffer
		if err := all.ExecuteTemplate(&output, path, root); err != nil {
			return err
		}
		// What helm prints for a field that is not there.
		text := strings.ReplaceAll(output.String(), "<no value>", "")
		if base == "NOTES.txt" {
			fmt.Fprint(os.Stderr, text)
		} else if strings.TrimSpace(text) != "" {
			fmt.Printf("---\n# Source: %s\n%s\n", path, strings.TrimSpace(text))
		}
	}
	return nil
}

// Helm's functions beside sprig's. Helm takes env and expandenv away, so that a chart can't read the environment.
func functions(all *template.Template) template.FuncMap {
	funcs := sprig.TxtFuncMap()
	delete(funcs, "env")
	delete(funcs, "expandenv")
	funcs["include"] = func(name string, data interface{}) (string, error) {
		var output strings.Builder
		err := all.ExecuteTemplate(&output, name, data)
		return output.String(), err
	}
	funcs["tpl"] = func(text string, data interface{}) (string, error) {
		parsed, err := template.Must(all.Clone()).New("tpl").Parse(text)
		if err != nil {
			return "", err
		}
		var output strings.Builder
		err = parsed.Execute(&output, data)
		return output.String(), err
	}
	funcs["required"] = func(message string, value interface{}) (interface{}, error) {
		if text, isText := value.(string); value == nil || (isText && text == "") {
			return value, errors.New(message)
		}
		return value, nil
	}
	funcs["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	funcs["fromYaml"] = func(text string) (values, error) {
		var result values
		err := yaml.Unmarshal([]byte(text), &result)
		return result, err
	}
	// As `helm template` answers, which asks no cluster.
	funcs["lookup"] = func(string, string, string, string) values { return values{} }
	return funcs
}
