// Judges pods by PodSecurity, with the code that a cluster uses.
// Reads a JSON list of {"name", "metadata", "spec"} and writes a JSON list of {"name", "reasons"} of those that the
// level given as the argument (restricted, baseline) forbids.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

type pod struct {
	Name     string            `json:"name"`
	Metadata metav1.ObjectMeta `json:"metadata"`
	Spec     corev1.PodSpec    `json:"spec"`
}

type violation struct {
	Name    string   `json:"name"`
	Reasons []string `json:"reasons"`
}

func run(level string) error {
	var pods []pod
	if err := json.NewDecoder(os.Stdin).Decode(&pods); err != nil {
		return err
	}
	parsed, err := api.ParseLevel(level)
	if err != nil {
		return err
	}
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks())
	if err != nil {
		return err
	}
	violations := []violation{}
	for _, p := range pods {
		reasons := []string{}
		for _, result := range evaluator.EvaluatePod(api.LevelVersion{Level: parsed, Version: api.LatestVersion()}, &p.Metadata, &p.Spec) {
			if !result.Allowed {
				reasons = append(reasons, fmt.Sprintf("%s: %s", result.ForbiddenReason, result.ForbiddenDetail))
			}
		}
		if len(reasons) > 0 {
			violations = append(violations, violation{p.Name, reasons})
		}
	}
	return json.NewEncoder(os.Stdout).Encode(violations)
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pod-security LEVEL < pods.json")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
