{{/* Autoscaler of a component with `autoscaling.enabled`. */}}

{{/* Takes a component; see _names.tpl. */}}
{{- define "maker.autoscaler" -}}
{{- if eq .root.Values.autoscaling.by "keda" }}
{{- include "maker.scaledObject" . }}
{{- else }}
{{- include "maker.horizontalPodAutoscaler" . }}
{{- end }}
{{- end }}

{{/*
A component's scaling metrics beside CPU, as a JSON list: the name among external metrics (k8s/prometheus-adapter/values.yaml), the query
of Prometheus, and the target per replica ("AverageValue") or in total ("Value"). Nothing if the target is 0.
*/}}
{{- define "maker.workload" -}}
{{- $scaling := .values.autoscaling }}
{{- $namespace := printf "namespace=%q" .root.Release.Namespace }}
{{- $measures := list }}
{{- with $scaling.liveChannelsPerReplica }}
{{- $query := printf "sum(maker_live_streams{%s})" $namespace }}
{{- $measures = append $measures (dict "name" "maker_live_channels" "query" $query "type" "AverageValue" "target" (int64 .)) }}
{{- end }}
{{- with $scaling.executionsPerReplica }}
{{- $query := printf "sum(max by (phase) (maker_execution_executions{%s,phase=~\"fee|trading|delivery|return\"}))" $namespace }}
{{- $measures = append $measures (dict "name" "maker_active_executions" "query" $query "type" "AverageValue" "target" (int64 .)) }}
{{- end }}
{{- with $scaling.overdueSeconds }}
{{- $query := printf "max(maker_execution_overdue_seconds{%s})" $namespace }}
{{- $measures = append $measures (dict "name" "maker_work_overdue_seconds" "query" $query "type" "Value" "target" (int64 .)) }}
{{- end }}
{{- $measures | toJson }}
{{- end }}

{{- define "maker.scaleTarget" -}}
apiVersion: apps/v1
kind: Deployment
name: {{ include "maker.componentName" . }}
{{- end }}

{{- define "maker.horizontalPodAutoscaler" -}}
{{- with .values.autoscaling -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "maker.metadata" $ | nindent 2 }}
spec:
  scaleTargetRef:
    {{- include "maker.scaleTarget" $ | nindent 4 }}
  minReplicas: {{ .minReplicas }}
  maxReplicas: {{ .maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ .targetCPUUtilizationPercentage }}
    {{- range include "maker.workload" $ | fromJsonArray }}
    - type: External
      external:
        metric:
          name: {{ .name }}
        target:
          type: {{ .type }}
          {{- if eq .type "Value" }}
          value: {{ .target | quote }}
          {{- else }}
          averageValue: {{ .target | quote }}
          {{- end }}
    {{- end }}
    {{- with .metrics }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .behavior }}
  behavior:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}

{{/* KEDA makes a HorizontalPodAutoscaler from it and serves its metrics from Prometheus. */}}
{{- define "maker.scaledObject" -}}
{{- with .values.autoscaling -}}
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  {{- include "maker.metadata" $ | nindent 2 }}
spec:
  scaleTargetRef:
    {{- include "maker.scaleTarget" $ | nindent 4 }}
  minReplicaCount: {{ .minReplicas }}
  maxReplicaCount: {{ .maxReplicas }}
  pollingInterval: 15
  {{- with .behavior }}
  advanced:
    horizontalPodAutoscalerConfig:
      behavior:
        {{- toYaml . | nindent 8 }}
  {{- end }}
  triggers:
    - type: cpu
      metricType: Utilization
      metadata:
        value: {{ .targetCPUUtilizationPercentage | quote }}
    {{- range include "maker.workload" $ | fromJsonArray }}
    - type: prometheus
      name: {{ .name }}
      metricType: {{ .type }}
      metadata:
        serverAddress: {{ $.root.Values.autoscaling.prometheusAddress | quote }}
        query: {{ .query | quote }}
        threshold: {{ .target | quote }}
    {{- end }}
{{- end }}
{{- end }}
