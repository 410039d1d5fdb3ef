{{/* Environment of the services, by concern. Each helper takes a component; see _names.tpl. */}}

{{- define "maker.environment.common" -}}
- name: LOG_LEVEL
  value: {{ .root.Values.logLevel }}
- name: OPS_PORT
  value: "9090"
- name: SHUTDOWN_DRAIN_MS
{{- /* Services without a load balancer need no drain: NATS stops routing requests to the pod as soon as it unsubscribes. */}}
  value: {{ ternary .root.Values.shutdownDrainMs 0 (has .component (list "api-gateway" "site")) | int64 | quote }}
{{- end }}

{{- define "maker.environment.nats" -}}
- name: NATS_URL
  value: {{ include "maker.natsUrl" .root }}
{{- if not (include "maker.runsNats" .root) }}
- name: NATS_PASSWORD_FILE
  value: /etc/maker/nats/password
{{- end }}
{{- end }}

{{- define "maker.environment.tracing" -}}
{{- with .root.Values.tracing }}
{{- if .enabled }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ .endpoint | quote }}
{{- with .headers }}
{{- if .existingSecret }}
- name: OTEL_EXPORTER_OTLP_HEADERS
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret }}
      key: {{ .key }}
{{- end }}
{{- end }}
- name: OTEL_TRACES_SAMPLER_ARG
  value: {{ .samplerRatio | quote }}
{{- end }}
{{- end }}
{{- end }}

{{- define "maker.natsUrl" -}}
{{- if include "maker.runsNats" . -}}
nats://{{ include "maker.fullname" . }}-nats-client:4222
{{- else -}}
{{ join "," .Values.nats.url }}
{{- end }}
{{- end }}

{{- define "maker.environment.mongo" -}}
{{- $database := .component | replace "-" "_" -}}
{{- if include "maker.runsMongodb" .root -}}
- name: MONGO_URL
  value: mongodb://{{ include "maker.evaluationMongodb" .root }}/{{ $database }}?replicaSet=rs0
{{- else -}}
- name: MONGO_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ include "maker.keysSecret" .root }}
      key: mongodb-{{ .component }}
# The kubelet substitutes the password.
- name: MONGO_URL
  value: {{ include "maker.mongoUrl" (dict "url" .root.Values.mongodb.url "database" $database) }}
{{- end }}
{{- end }}

{{/* A service's connection string: its user has the database's name and is defined there unless the URL has an `authSource`. Takes "url", "database". */}}
{{- define "maker.mongoUrl" -}}
{{- $url := splitn "://" 2 .url }}
{{- $rest := splitn "?" 2 $url._1 }}
{{- $authSource := ternary "" (printf "authSource=%s" .database) (contains "authSource=" .url) }}
{{- $options := compact (list $rest._1 $authSource) | join "&" }}
{{- printf "%s://%s:$(MONGO_PASSWORD)@%s/%s?%s" $url._0 .database (trimSuffix "/" $rest._0) .database $options }}
{{- end }}

{{/* One replica's share of the endpoints' limits. The scanning replica gets its service's whole share; others get a part. */}}
{{- define "maker.rpcSharePercent" -}}
{{- $replicas := int .values.replicas }}
{{- with .values.autoscaling }}{{ if .enabled }}{{ $replicas = int .maxReplicas }}{{ end }}{{ end }}
{{- if eq .component "payment-watcher" }}{{ $replicas = 1 }}{{ end }}
{{- max 1 (div (int .values.rpcSharePercent) (max 1 $replicas)) }}
{{- end }}

{{/* Requests a minute that orders may book, from the RPC plan. Takes the root context. */}}
{{- define "maker.orderRequestsPerMinute" -}}
{{- $plan := 0 }}
{{- $isUnlimited := true }}
{{- if .Values.chain.rpcRequestsPerMinute }}
{{- $isUnlimited = false }}
{{- range .Values.chain.rpcRequestsPerMinute }}
{{- if eq (int64 .) 0 }}{{ $isUnlimited = true }}{{ end }}
{{- $plan = add $plan (int64 .) }}
{{- end }}
{{- else if not .Values.chain.existingSecret }}
{{- $isUnlimited = false }}
{{- range .Values.rpc.urls }}
{{- if has (urlParse .).host (list "rpc.hyperliquid.xyz" "rpc.hyperliquid-testnet.xyz") }}
{{- $plan = add $plan 100 }}
{{- else }}{{ $isUnlimited = true }}{{ end }}
{{- end }}
{{- end }}
{{- $derived := ternary 360 (max 1 (div (mul $plan 2) 5)) $isUnlimited }}
{{- default $derived (int64 .Values.job.capacity.orderRequestsPerMinute) }}
{{- end }}

{{- define "maker.environment.rpcUrls" -}}
{{- with .root.Values.chain -}}
- name: CHAIN_RPC_URLS
  {{- if .existingSecret }}
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret }}
      key: {{ .key }}
  {{- else }}
  value: {{ join "," $.root.Values.rpc.urls | quote }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "maker.environment.chain" -}}
{{- $readsExchanges := .readsExchanges }}
{{- $share := include "maker.rpcSharePercent" . | trim }}
{{- with .root.Values.chain -}}
- name: CHAIN_ID
  value: {{ .id | int64 | quote }}
{{ include "maker.environment.rpcUrls" $ }}
{{- with .rpcRequestsPerMinute }}
- name: CHAIN_RPC_REQUESTS_PER_MINUTE
  value: {{ join "," . | quote }}
{{- end }}
- name: CHAIN_RPC_SHARE_PERCENT
  value: {{ $share | quote }}
- name: CHAIN_CONFIRMATIONS
  value: {{ .confirmations | int64 | quote }}
- name: CHAIN_TRUST_SINGLE_ENDPOINT
  value: {{ include "maker.trustsSingleEndpoint" $.root | quote }}
{{- if and $readsExchanges .exchanges }}
- name: CHAIN_EXCHANGES_FILE
  value: /etc/maker/chain/exchanges.json
{{- end }}
{{- end }}
{{- with include "maker.environment.egress" .root }}
{{ . | trim }}
{{- end }}
{{- end }}

{{/* Proxy to the RPC endpoints, if the chart runs one. Takes the root context. */}}
{{- define "maker.environment.egress" -}}
{{- if eq .Values.networkPolicy.chain.keptBy "proxy" -}}
- name: NODE_USE_ENV_PROXY
  value: "1"
- name: HTTPS_PROXY
  value: http://{{ include "maker.componentName" (dict "root" . "component" "egress-proxy") }}:3128
{{- with .Values.tracing.endpoint }}
- name: NO_PROXY
  value: {{ regexReplaceAll ":[0-9]+$" (urlParse .).host "" }}
{{- end }}
{{- end }}
{{- end }}

{{/* Environment of services that read HyperCore or send on it. */}}
{{- define "maker.environment.hyperCore" -}}
{{- with include "maker.hyperCoreApiUrl" .root -}}
- name: HYPERCORE_API_URL
  value: {{ . | quote }}
{{- end }}
{{- end }}

{{/* Comes last, so that it overrides the chart's variables. */}}
{{- define "maker.environment.extra" -}}
{{- with concat .root.Values.extraEnv .values.extraEnv }}
{{- toYaml . }}
{{- end }}
{{- end }}
