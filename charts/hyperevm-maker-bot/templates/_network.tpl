{{/* Rules of the NetworkPolicies, each an edge of the system. They take the root context. */}}

{{- define "maker.network.dns" -}}
- to:
    {{- toYaml .Values.networkPolicy.dns.to | nindent 4 }}
  ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
{{- end }}

{{- define "maker.network.nats" -}}
- to:
    {{- if .Values.evaluation.nats.enabled }}
    - podSelector:
        matchLabels:
          {{- include "maker.selectorLabels" (dict "root" . "component" "nats") | nindent 10 }}
    {{- else }}
    {{- toYaml .Values.networkPolicy.nats.to | nindent 4 }}
    {{- end }}
  ports:
    - { protocol: TCP, port: {{ ternary 4222 .Values.networkPolicy.nats.port .Values.evaluation.nats.enabled }} }
{{- end }}

{{- define "maker.network.mongo" -}}
- to:
    {{- if .Values.evaluation.mongodb.enabled }}
    - podSelector:
        matchLabels:
          {{- include "maker.selectorLabels" (dict "root" . "component" "mongodb") | nindent 10 }}
    {{- else }}
    {{- toYaml .Values.networkPolicy.mongo.to | nindent 4 }}
    {{- end }}
  ports:
    - { protocol: TCP, port: {{ ternary 27017 .Values.networkPolicy.mongo.port .Values.evaluation.mongodb.enabled }} }
{{- end }}

{{- define "maker.network.chain" -}}
- to:
    {{- toYaml .Values.networkPolicy.chain.to | nindent 4 }}
  ports:
    {{- range .Values.networkPolicy.chain.ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
{{- end }}

{{/* Traces, while they are exported. */}}
{{- define "maker.network.tracing" -}}
{{- if .Values.tracing.enabled -}}
- to:
    {{- toYaml .Values.networkPolicy.tracing.to | nindent 4 }}
  ports:
    - { protocol: TCP, port: {{ .Values.networkPolicy.tracing.port }} }
{{- end }}
{{- end }}

{{/* Prometheus reads /metrics. */}}
{{- define "maker.network.metrics" -}}
- from:
    {{- toYaml .Values.networkPolicy.metrics.from | nindent 4 }}
  ports:
    - { protocol: TCP, port: ops }
{{- end }}

{{/* Visitors, by the ingress controller or directly; and the pod of `helm test`. */}}
{{- define "maker.network.clients" -}}
- {{ with .Values.networkPolicy.clients -}}
  from:
    {{- toYaml . | nindent 4 }}
    - podSelector:
        matchLabels:
          {{- include "maker.selectorLabels" (dict "root" $ "component" "test") | nindent 10 }}
  {{ end -}}
  ports:
    - { protocol: TCP, port: http }
{{- end }}

{{/* The components that use a server, as peers of its policy. Takes "root" and "components". */}}
{{- define "maker.network.peers" -}}
- podSelector:
    matchLabels:
      {{- include "maker.releaseSelector" .root | nindent 6 }}
    matchExpressions:
      - key: app.kubernetes.io/component
        operator: In
        values:
          {{- toYaml .components | nindent 10 }}
{{- end }}
