{{/* Values that components share. */}}

{{/* Completes the values of each component with `podDefaults` and `autoscaling`. Every template begins with it, and the first call does it for all: helm
gives the same values to each. Takes the root context, and writes nothing. */}}
{{- define "maker.inherit" -}}
{{- if not (hasKey .Values "isComplete") }}
{{- $_ := set .Values "isComplete" true }}
{{- range list "apiGateway" "tokenValidation" "job" "paymentWatcher" "makerExecutor" "receipts" "webhookSender" "site" "operatorCli" "preflight" "canary" "egressProxy" }}
{{- $values := index $.Values . }}
{{- $_ := include "maker.complete" (dict "values" $values "defaults" $.Values.podDefaults) }}
{{- with $values.autoscaling }}
{{- $_ := include "maker.complete" (dict "values" . "defaults" (omit $.Values.autoscaling "by" "prometheusAddress")) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Adds to "values" what only "defaults" have. Sprig's merge would take a default in place of false, 0 and an empty text. */}}
{{- define "maker.complete" -}}
{{- range $name, $default := .defaults }}
{{- $own := index $.values $name }}
{{- if not (hasKey $.values $name) }}
{{- $_ := set $.values $name (deepCopy $default) }}
{{- else if and (kindIs "map" $default) (kindIs "map" $own) }}
{{- $_ := include "maker.complete" (dict "values" $own "defaults" $default) }}
{{- end }}
{{- end }}
{{- end }}
