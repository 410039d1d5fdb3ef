{{/* What the release makes for itself where nothing is named: an evaluation, never on mainnet. All take the root context; "true" or nothing. */}}

{{- define "maker.isMainnet" -}}
{{- if eq (int64 .Values.chain.id) 999 }}true{{ end }}
{{- end }}

{{- define "maker.runsNats" -}}
{{- if or .Values.evaluation.nats.enabled (and (not .Values.nats.url) (not (include "maker.isMainnet" .))) }}true{{ end }}
{{- end }}

{{- define "maker.runsMongodb" -}}
{{- $named := false }}
{{- range include "maker.components" . | fromYamlArray }}
{{- with (index $.Values .values).mongo }}{{ if .existingSecret }}{{ $named = true }}{{ end }}{{ end }}
{{- end }}
{{- if or .Values.evaluation.mongodb.enabled (not (or $named (include "maker.isMainnet" .))) }}true{{ end }}
{{- end }}

{{/* A Secret with all keys is made by a hook where neither it nor one of its parts is named. */}}
{{- define "maker.makesKeys" -}}
{{- $v := .Values }}
{{- if not (or $v.secrets.keys $v.apiGateway.apiKeys.existingSecret $v.job.accountXpub.existingSecret $v.makerExecutor.seed.existingSecret $v.site.apiKey.existingSecret (include "maker.isMainnet" .)) }}true{{ end }}
{{- end }}

{{/* Whether one host is believed about a payer and a price: an evaluation has one endpoint, and money without worth. */}}
{{- define "maker.trustsSingleEndpoint" -}}
{{- or .Values.paymentWatcher.trustSingleEndpoint (eq (include "maker.makesKeys" .) "true") }}
{{- end }}

{{/* Name of the Secret with all keys; nothing where each has a Secret of its own. */}}
{{- define "maker.keysSecret" -}}
{{- if .Values.secrets.keys }}{{ .Values.secrets.keys }}{{ else if include "maker.makesKeys" . }}{{ include "maker.fullname" . }}-keys{{ end }}
{{- end }}

{{/* A key's Secret, as JSON with "existingSecret" and "key". Takes "root", "own" (the value that names one) and "key", its name in the Secret with all. */}}
{{- define "maker.keyIn" -}}
{{- if .own.existingSecret }}{{ pick .own "existingSecret" "key" | toJson }}{{ else }}{{ dict "existingSecret" (include "maker.keysSecret" .root) "key" .key | toJson }}{{ end }}
{{- end }}

{{- define "maker.seedIn" -}}
{{- include "maker.keyIn" (dict "root" . "own" .Values.makerExecutor.seed "key" "mnemonic") }}
{{- end }}

{{/* Where the fee goes. */}}
{{- define "maker.treasury" -}}
{{- default .Values.makerExecutor.treasuryAddress .Values.treasury }}
{{- end }}

{{/* The RPC endpoints as a JSON list. */}}
{{- define "maker.rpcUrls" -}}
{{- default .Values.chain.rpcUrls .Values.rpc.urls | toJson }}
{{- end }}

{{/* Where browsers find the API: by its host, or by the port-forward of the notes. */}}
{{- define "maker.apiBaseUrl" -}}
{{- if .Values.site.configuration.apiBaseUrl }}{{ .Values.site.configuration.apiBaseUrl }}
{{- else if .Values.hosts.api }}https://{{ .Values.hosts.api }}
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
