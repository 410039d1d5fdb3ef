{{/*
Names and labels. Most helpers take a component: (dict "root" $ "component" "job" "values" .Values.job).
*/}}

{{- define "maker.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" }}
{{- end }}

{{/* Short enough for the longest name of an object and the longest label that Kubernetes derives from one. A long name keeps its hash, so that two
releases stay apart. */}}
{{- define "maker.fullname" -}}
{{- $name := printf "%s-%s" .Release.Name (include "maker.name" .) }}
{{- if .Values.fullnameOverride }}{{ $name = .Values.fullnameOverride }}
{{- else if contains (include "maker.name" .) .Release.Name }}{{ $name = .Release.Name }}
{{- end }}
{{- if gt (len $name) 37 }}{{ $name = printf "%s-%s" (trunc 30 $name | trimSuffix "-") (sha256sum $name | trunc 6) }}{{ end }}
{{- $name }}
{{- end }}

{{/* Name of a component's objects. */}}
{{- define "maker.componentName" -}}
{{- printf "%s-%s" (include "maker.fullname" .root) .component }}
{{- end }}

{{/* The evaluation's MongoDB member, by the pod's full name: its own /etc/hosts has that name before DNS does. */}}
{{- define "maker.evaluationMongodb" -}}
{{- $name := include "maker.componentName" (dict "root" . "component" "mongodb") -}}
{{ $name }}-0.{{ $name }}.{{ .Release.Namespace }}.svc.{{ .Values.clusterDomain }}:27017
{{- end }}

{{/* Selector labels of a release's pods. Never change them: a Deployment's selector is immutable. */}}
{{- define "maker.releaseSelector" -}}
app.kubernetes.io/name: {{ include "maker.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "maker.selectorLabels" -}}
{{ include "maker.releaseSelector" .root }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* Labels of an object that belongs to no component. */}}
{{- define "maker.releaseLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "maker.releaseSelector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "maker.labels" -}}
{{ include "maker.releaseLabels" .root }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* Labels of a component's pods, without the chart's version: its change alone must restart no pod. For a label with several values
the component's wins, then that of all objects. */}}
{{- define "maker.podLabels" -}}
{{ include "maker.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
{{- with merge (dict) .values.podLabels .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The metadata of a component's object: {{- include "maker.metadata" $job | nindent 2 }} */}}
{{- define "maker.metadata" -}}
name: {{ include "maker.componentName" . }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "maker.labels" . | nindent 2 }}
{{- with .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Image of an evaluation's server, from the registry that a parent chart shares. Takes "root" and "image". */}}
{{- define "maker.serverImage" -}}
{{- with (default dict .root.Values.global).imageRegistry }}
{{- printf "%s/%s" . (regexReplaceAll "^(localhost|[^/]*[.:][^/]*)/" $.image "") }}
{{- else }}
{{- .image }}
{{- end }}
{{- end }}

{{/* Image of a component, by its digest, else its tag, else the common tag, else the app's version. */}}
{{- define "maker.image" -}}
{{- $all := .root.Values.image }}
{{- $own := .values.image }}
{{- $repository := default (printf "%s/%s" $all.repository .component) $own.repository }}
{{- $registry := default $all.registry (default dict .root.Values.global).imageRegistry }}
{{- $name := ternary (printf "%s/%s" $registry $repository) $repository (ne $registry "") }}
{{- if $own.digest }}
{{- printf "%s@%s" $name $own.digest }}
{{- else }}
{{- printf "%s:%s" $name (default (default .root.Chart.AppVersion $all.tag) $own.tag) }}
{{- end }}
{{- end }}

{{/* Image of the operators' program, which hooks, the canary and a recovery run too. Takes the root context. */}}
{{- define "maker.opsImage" -}}
{{- include "maker.image" (dict "root" . "component" "ops" "values" .Values.ops) }}
{{- end }}
