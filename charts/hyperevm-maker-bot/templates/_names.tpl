{{/*
Names and labels. Most helpers take a component: (dict "root" $ "component" "job" "values" .Values.job).
*/}}

{{- define "maker.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "maker.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains (include "maker.name" .) .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "maker.name" .) | trunc 40 | trimSuffix "-" }}
{{- end }}
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
