{{/* Hosts and ports of the services' peers, from the values that name them, so that policies need no values of their own. */}}

{{/* Port of a URL; the default of its scheme if the URL has none. Takes the URL. */}}
{{- define "maker.portOf" -}}
{{- $url := urlParse . }}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" }}
{{- default (get (dict "http" "80" "https" "443" "nats" "4222" "tls" "4222") $url.scheme) $port }}
{{- end }}

{{/* The RPC endpoints and HyperCore's API as a JSON list of "host:port", as far as the values name them. */}}
{{- define "maker.chainEndpoints" -}}
{{- $chain := .Values.chain }}
{{- $endpoints := list }}
{{- if $chain.hosts }}
{{- range $chain.hosts }}{{ $endpoints = append $endpoints (ternary . (printf "%s:443" .) (contains ":" .)) }}{{ end }}
{{- else if not $chain.existingSecret }}
{{- range .Values.rpc.urls }}{{ $endpoints = append $endpoints (include "maker.hostAndPort" .) }}{{ end }}
{{- end }}
{{- with include "maker.hyperCoreApiUrl" . }}{{ $endpoints = append $endpoints (include "maker.hostAndPort" .) }}{{ end }}
{{- $endpoints | uniq | toJson }}
{{- end }}

{{/* Hosts of the RPC endpoints as a JSON list, by `hostOf` of libs/chain: two ports of one host are one. Empty if only a missing Secret names them. */}}
{{- define "maker.rpcHosts" -}}
{{- $urls := .Values.rpc.urls }}
{{- with .Values.chain.existingSecret }}
{{- $secret := lookup "v1" "Secret" $.Release.Namespace . }}
{{- $list := get (default dict $secret.data) $.Values.chain.key | b64dec | nospace }}
{{- $urls = compact (splitList "," $list) }}
{{- end }}
{{- $hosts := list }}
{{- range $urls }}{{ $hosts = append $hosts (regexReplaceAll ":[0-9]+$" (urlParse .).host "" | lower | trimSuffix ".") }}{{ end }}
{{- $hosts | uniq | toJson }}
{{- end }}

{{- define "maker.hostAndPort" -}}
{{- printf "%s:%s" (regexReplaceAll ":[0-9]+$" (urlParse .).host "") (include "maker.portOf" .) }}
{{- end }}

{{/* Ports of the RPC endpoints as a JSON list. 443 for endpoints that only a Secret names. */}}
{{- define "maker.chainPorts" -}}
{{- $ports := list }}
{{- if and .Values.chain.existingSecret (not .Values.chain.hosts) }}{{ $ports = list 443 }}{{ end }}
{{- range include "maker.chainEndpoints" . | fromJsonArray }}{{ $ports = append $ports (splitList ":" . | last | int) }}{{ end }}
{{- default ($ports | uniq) .Values.networkPolicy.chain.ports | toJson }}
{{- end }}

{{/* Ports of NATS as a JSON list. */}}
{{- define "maker.natsPorts" -}}
{{- $ports := list }}
{{- range .Values.nats.url }}{{ $ports = append $ports (include "maker.portOf" . | int) }}{{ end }}
{{- with .Values.networkPolicy.nats.port }}{{ $ports = list . }}{{ end }}
{{- if include "maker.runsNats" . }}{{ $ports = list 4222 }}{{ end }}
{{- $ports | uniq | toJson }}
{{- end }}
