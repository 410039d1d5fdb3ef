{{/* What values name and the cluster does not have: said before anything rolls, where a pod would wait for it until helm gives up. */}}

{{/* A JSON list, empty where no cluster is asked: `helm template`, or a namespace that is only made with the release. */}}
{{- define "maker.missingObjects" -}}
{{- $missing := list }}
{{- if and .Values.checks.existing (lookup "v1" "ServiceAccount" .Release.Namespace "default") }}
{{- range include "maker.secretsUsed" . | fromJsonArray }}
{{- if .name }}
{{- $secret := lookup "v1" "Secret" $.Release.Namespace .name }}
{{- if not $secret }}
{{- $missing = append $missing (printf "%s: there is no Secret %s in namespace %s" .value .name $.Release.Namespace) }}
{{- else if not (hasKey (default dict $secret.data) .key) }}
{{- $missing = append $missing (printf "%s: Secret %s has no key %s" .value .name .key) }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.operatorCli.recovery }}
{{- if and .enabled .plan.existingConfigMap (not (lookup "v1" "ConfigMap" $.Release.Namespace .plan.existingConfigMap)) }}
{{- $missing = append $missing (printf "operatorCli.recovery.plan.existingConfigMap: there is no ConfigMap %s in namespace %s" .plan.existingConfigMap $.Release.Namespace) }}
{{- end }}
{{- if and .enabled .journal.existingClaim (not (lookup "v1" "PersistentVolumeClaim" $.Release.Namespace .journal.existingClaim)) }}
{{- $missing = append $missing (printf "operatorCli.recovery.journal.existingClaim: there is no PersistentVolumeClaim %s in namespace %s" .journal.existingClaim $.Release.Namespace) }}
{{- end }}
{{- end }}
{{- end }}
{{- $missing | toJson }}
{{- end }}

{{/* Every Secret that pods of the release read, as a JSON list of the value that names it, its name and its key. */}}
{{- define "maker.secretsUsed" -}}
{{- $used := list }}
{{- range $name := list "apiGateway" "tokenValidation" "job" "paymentWatcher" "makerExecutor" "receipts" "webhookSender" }}
{{- $values := index $.Values $name }}
{{- if $values.enabled }}
{{- range $part := list "mongo" "natsUser" "apiKeys" "accountXpub" "seed" "endpoints" }}
{{- with index $values $part }}
{{- $used = append $used (dict "value" (printf "%s.%s.existingSecret" $name $part) "name" .existingSecret "key" .key) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.makerExecutor }}
{{- $used = append $used (dict "value" "makerExecutor.seed.passphrase.existingSecret" "name" .seed.passphrase.existingSecret "key" .seed.passphrase.key) }}
{{- end }}
{{- if or .Values.secrets.keys (and (include "maker.makesKeys" .) .Release.IsUpgrade) }}
{{- range list "mnemonic" "xpub" "api-keys.json" "site-api-key" "operator-api-key" }}
{{- $used = append $used (dict "value" "secrets.keys" "name" (include "maker.keysSecret" $) "key" .) }}
{{- end }}
{{- end }}
{{- if .Values.site.enabled }}
{{- $used = append $used (dict "value" "site.apiKey.existingSecret" "name" .Values.site.apiKey.existingSecret "key" .Values.site.apiKey.key) }}
{{- end }}
{{- with .Values.canary }}
{{- if .enabled }}
{{- $used = append $used (dict "value" "canary.apiKey.existingSecret" "name" .apiKey.existingSecret "key" .apiKey.key) }}
{{- $used = append $used (dict "value" "canary.wallet.existingSecret" "name" .wallet.existingSecret "key" .wallet.key) }}
{{- end }}
{{- end }}
{{- $used = append $used (dict "value" "chain.existingSecret" "name" .Values.chain.existingSecret "key" .Values.chain.key) }}
{{- if .Values.tracing.enabled }}
{{- $used = append $used (dict "value" "tracing.headers.existingSecret" "name" .Values.tracing.headers.existingSecret "key" .Values.tracing.headers.key) }}
{{- end }}
{{- $used | toJson }}
{{- end }}
