{{/* Defaults of an evaluation, for servers and Secrets without a value; never on mainnet. All take the root context and give "true" or nothing. */}}

{{- define "maker.isMainnet" -}}
{{- if eq (int64 .Values.chain.id) 999 }}true{{ end }}
{{- end }}

{{- define "maker.runsNats" -}}
{{- if or .Values.evaluation.nats.enabled (and (not .Values.nats.url) (not (include "maker.isMainnet" .))) }}true{{ end }}
{{- end }}

{{- define "maker.runsMongodb" -}}
{{- if or .Values.evaluation.mongodb.enabled (not (or .Values.mongodb.url (include "maker.isMainnet" .))) }}true{{ end }}
{{- end }}

{{/* A hook makes a Secret with all keys if the values name neither that Secret nor the seed. */}}
{{- define "maker.makesKeys" -}}
{{- if not (or .Values.secrets.keys .Values.makerExecutor.seed.existingSecret (include "maker.isMainnet" .)) }}true{{ end }}
{{- end }}

{{/* Whether one host may confirm a payer and a price: an evaluation has one endpoint and money without value. */}}
{{- define "maker.trustsSingleEndpoint" -}}
{{- or .Values.paymentWatcher.trustSingleEndpoint (eq (include "maker.makesKeys" .) "true") }}
{{- end }}

{{/* Name of the Secret with all keys; nothing if the values name none and the hook makes none. */}}
{{- define "maker.keysSecret" -}}
{{- if .Values.secrets.keys }}{{ .Values.secrets.keys }}{{ else if include "maker.makesKeys" . }}{{ include "maker.fullname" . }}-keys{{ end }}
{{- end }}

{{/* The Secret with the seed, as JSON with "existingSecret" and "key". */}}
{{- define "maker.seedIn" -}}
{{- $own := .Values.makerExecutor.seed }}
{{- if $own.existingSecret }}{{ pick $own "existingSecret" "key" | toJson }}{{ else }}{{ dict "existingSecret" (include "maker.keysSecret" .) "key" "mnemonic" | toJson }}{{ end }}
{{- end }}

{{/* Host of the API; nothing if unset. */}}
{{- define "maker.apiHost" -}}
{{- if .Values.hosts.api }}{{ .Values.hosts.api }}{{ else if .Values.hosts.site }}api.{{ .Values.hosts.site }}{{ end }}
{{- end }}

{{/* HyperCore's API; nothing if the product does not check it. */}}
{{- define "maker.hyperCoreApiUrl" -}}
{{- default (get (dict "999" "https://api.hyperliquid.xyz" "998" "https://api.hyperliquid-testnet.xyz") (toString (int64 .Values.chain.id))) .Values.chain.hyperCoreApiUrl }}
{{- end }}

{{/* URL of the API for browsers: by its host, or by the port-forward of the notes. */}}
{{- define "maker.apiBaseUrl" -}}
{{- if .Values.site.configuration.apiBaseUrl }}{{ .Values.site.configuration.apiBaseUrl }}
{{- else if include "maker.apiHost" . }}https://{{ include "maker.apiHost" . }}
{{- else if not (include "maker.isMainnet" .) }}http://localhost:8081{{ end }}
{{- end }}

{{/* Origins that may call the API, as a comma list. */}}
{{- define "maker.corsOrigins" -}}
{{- $site := "" }}
{{- if .Values.hosts.site }}{{ $site = printf "https://%s" .Values.hosts.site }}
{{- else if not (or .Values.hosts.api (include "maker.isMainnet" .)) }}{{ $site = "http://localhost:8080" }}{{ end }}
{{- join "," (default (compact (list $site)) .Values.apiGateway.corsOrigins) }}
{{- end }}

{{/* The block explorer of the chain. */}}
{{- define "maker.explorerUrl" -}}
{{- default (get (dict "999" "https://hyperevmscan.io" "998" "https://testnet.purrsec.com") (toString (int64 .Values.chain.id))) .Values.site.configuration.explorerUrl }}
{{- end }}
