{{/* Values shared by components. */}}

{{/* Completes the values of each component with `podDefaults` and `autoscaling`. Every template calls it first; one call is enough, since helm
gives all templates the same values. Takes the root context and renders nothing. */}}
{{- define "maker.inherit" -}}
{{- if not (hasKey .Values "isComplete") }}
{{- $_ := set .Values "isComplete" true }}
{{- range list "apiGateway" "tokenValidation" "job" "paymentWatcher" "makerExecutor" "receipts" "webhookSender" "site" "ops" "preflight" "canary" "egressProxy" }}
{{- $values := index $.Values . }}
{{- $_ := include "maker.complete" (dict "values" $values "defaults" $.Values.podDefaults) }}
{{- with $values.autoscaling }}
{{- $_ := include "maker.complete" (dict "values" . "defaults" (omit $.Values.autoscaling "by" "prometheusAddress")) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Adds missing keys of "values" from "defaults". Sprig's merge would also replace false, 0 and empty strings. */}}
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
