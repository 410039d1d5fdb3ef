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

{{/* The evaluation's MongoDB member, by the pod's full name: the pod knows that one from its own /etc/hosts, before any DNS does. */}}
{{- define "maker.evaluationMongodb" -}}
{{- $name := include "maker.componentName" (dict "root" . "component" "mongodb") -}}
{{ $name }}-0.{{ $name }}.{{ .Release.Namespace }}.svc.{{ .Values.clusterDomain }}:27017
{{- end }}

{{/* Labels by which a release's pods are found. They never change: a Deployment's selector cannot be upgraded. */}}
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

{{/* Labels of a component's pods: without the chart's version, whose change alone must restart nothing. Of a label that is said more than once
the nearest is taken: the component's, then that of all objects. */}}
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

{{/* Image of a component: a digest decides, else its tag, else the tag of all, else the version of the app. */}}
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
