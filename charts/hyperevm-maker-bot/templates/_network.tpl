{{/* Rules of the NetworkPolicies, each an edge of the system. They take the root context. */}}

{{- define "maker.network.dns" -}}
- to:
    {{- toYaml .Values.networkPolicy.dns.to | nindent 4 }}
    {{- if .Values.openshift }}
    - namespaceSelector:
        matchLabels:
          kubernetes.io/metadata.name: openshift-dns
    {{- end }}
  ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
    {{- if .Values.openshift }}
    # Policies match the pods behind the Service, which listen on this port.
    - { protocol: UDP, port: 5353 }
    - { protocol: TCP, port: 5353 }
    {{- end }}
{{- end }}

{{- define "maker.network.nats" -}}
- to:
    {{- if include "maker.runsNats" . }}
    - podSelector:
        matchLabels:
          {{- include "maker.selectorLabels" (dict "root" . "component" "nats") | nindent 10 }}
    {{- else }}
    {{- toYaml .Values.networkPolicy.nats.to | nindent 4 }}
    {{- end }}
  ports:
    {{- range include "maker.natsPorts" . | fromJsonArray }}
    - { protocol: TCP, port: {{ . | int }} }
    {{- end }}
{{- end }}

{{- define "maker.network.mongo" -}}
- to:
    {{- if include "maker.runsMongodb" . }}
    - podSelector:
        matchLabels:
          {{- include "maker.selectorLabels" (dict "root" . "component" "mongodb") | nindent 10 }}
    {{- else }}
    {{- toYaml .Values.networkPolicy.mongo.to | nindent 4 }}
    {{- end }}
  ports:
    - { protocol: TCP, port: {{ ternary 27017 .Values.networkPolicy.mongo.port (eq (include "maker.runsMongodb" .) "true") }} }
{{- end }}

{{/* The RPC endpoints, by their addresses. */}}
{{- define "maker.network.chainAddresses" -}}
- to:
    {{- toYaml .Values.networkPolicy.chain.to | nindent 4 }}
  ports:
    {{- range include "maker.chainPorts" . | fromJsonArray }}
    - { protocol: TCP, port: {{ . | int }} }
    {{- end }}
{{- end }}

{{/* The RPC endpoints and the DNS, by `networkPolicy.chain.keptBy`. With Cilium both are in a CiliumNetworkPolicy: Cilium learns a name's addresses
from DNS answers through its proxy, which a plain rule would bypass. */}}
{{- define "maker.network.chain" -}}
{{- $kept := .Values.networkPolicy.chain.keptBy }}
{{- if ne $kept "cilium" -}}
{{ include "maker.network.dns" . }}
{{ if eq $kept "addresses" -}}
{{ include "maker.network.chainAddresses" . }}
{{- else -}}
- to:
    - podSelector:
        matchLabels:
          {{- include "maker.selectorLabels" (dict "root" . "component" "egress-proxy") | nindent 10 }}
  ports:
    - { protocol: TCP, port: proxy }
{{- end }}
{{- end }}
{{- end }}

{{/* The receiver of traces, if tracing is enabled. */}}
{{- define "maker.network.tracing" -}}
{{- if .Values.tracing.enabled -}}
- to:
    {{- toYaml .Values.networkPolicy.tracing.to | nindent 4 }}
  ports:
    - { protocol: TCP, port: {{ default (include "maker.portOf" .Values.tracing.endpoint | int) .Values.networkPolicy.tracing.port }} }
{{- end }}
{{- end }}

{{/* Prometheus scrapes /metrics. */}}
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
