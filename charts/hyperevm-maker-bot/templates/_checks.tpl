{{/* Addresses in mixed case, so with a checksum, as a JSON list of "setting=address". */}}
{{- define "maker.mixedCaseAddresses" -}}
{{- $settings := dict "treasury" .Values.treasury "preflight.tokenAddress" .Values.preflight.tokenAddress "canary.tokenAddress" .Values.canary.tokenAddress "tests.tokenAddress" .Values.tests.tokenAddress }}
{{- range $index, $exchange := .Values.chain.exchanges }}
{{- range $field, $value := $exchange }}
{{- if kindIs "string" $value }}{{ $_ := set $settings (printf "chain.exchanges[%d].%s" $index $field) $value }}{{ end }}
{{- end }}
{{- end }}
{{- $mixed := list }}
{{- range $setting, $address := $settings }}
{{- if and (regexMatch "^0x[0-9a-fA-F]{40}$" (toString $address)) (regexMatch "^0x.*[a-f]" $address) (regexMatch "[A-F]" $address) }}
{{- $mixed = append $mixed (printf "%s=%s" $setting $address) }}
{{- end }}
{{- end }}
{{- $mixed | toJson }}
{{- end }}

{{/* All missing values, one line each: the value to set and its purpose. */}}

{{- define "maker.problems" -}}
{{- $keys := include "maker.keysSecret" . }}
{{- $problems := list }}
{{- $uses := false }}
{{- range include "maker.components" . | fromYamlArray }}{{ if and .nats (index $.Values .values).enabled }}{{ $uses = true }}{{ end }}{{ end }}
{{- if and $uses (not .Values.nats.url) (not (include "maker.runsNats" .)) }}
{{- $problems = append $problems "nats.url: the NATS servers (or evaluation.nats.enabled)" }}
{{- end }}
{{- if and $uses (not .Values.mongodb.url) (not (include "maker.runsMongodb" .)) }}
{{- $problems = append $problems "mongodb.url: the MongoDB replica set (or evaluation.mongodb.enabled)" }}
{{- end }}
{{- if and .Values.tracing.enabled (not .Values.tracing.endpoint) }}
{{- $problems = append $problems "tracing.endpoint: the OTLP/HTTP receiver of the traces" }}
{{- end }}
{{- $recovery := .Values.ops.recovery }}
{{- $usesChain := or .Values.tokenValidation.enabled .Values.paymentWatcher.enabled .Values.makerExecutor.enabled $recovery.enabled .Values.canary.enabled }}
{{- if and $usesChain (not .Values.rpc.urls) (not .Values.chain.existingSecret) }}
{{- $problems = append $problems "rpc.urls or chain.existingSecret: the RPC endpoints" }}
{{- end }}
{{- $isOwnServer := or (not (include "maker.runsNats" .)) (not (include "maker.runsMongodb" .)) }}
{{- if and $uses (include "maker.makesKeys" .) $isOwnServer }}
{{- $problems = append $problems "secrets.keys: a Secret with the passwords of your servers, which `ops secrets` makes" }}
{{- else if and (or $uses .Values.site.enabled (and $recovery.enabled (not .Values.makerExecutor.seed.existingSecret))) (not $keys) }}
{{- $problems = append $problems "secrets.keys: a Secret with all keys and passwords, which `ops secrets` makes; the chart makes none on mainnet" }}
{{- end }}
{{- if and .Values.webhookSender.enabled (not .Values.webhookSender.endpoints.existingSecret) }}
{{- $problems = append $problems "webhookSender.endpoints.existingSecret: a Secret with the endpoints and their secrets" }}
{{- end }}
{{- if $recovery.enabled }}
{{- if not $recovery.plan.existingConfigMap }}
{{- $problems = append $problems "ops.recovery.plan.existingConfigMap: a ConfigMap with the plan" }}
{{- end }}
{{- if not $recovery.journal.existingClaim }}
{{- $problems = append $problems "ops.recovery.journal.existingClaim: a PersistentVolumeClaim for the journal" }}
{{- end }}
{{- range $name := list "operator" "reason" }}
{{- if not (index $recovery $name) }}
{{- $problems = append $problems (printf "ops.recovery.%s: kept in the journal" $name) }}
{{- end }}
{{- end }}
{{- if not (int64 .Values.job.firstWalletIndex) }}
{{- $problems = append $problems "job.firstWalletIndex: the JOB_FIRST_WALLET_INDEX of the survey; a recovery leaves wallets from there on alone" }}
{{- end }}
{{- end }}
{{- with .Values.canary }}
{{- if .enabled }}
{{- if not .tokenAddress }}
{{- $problems = append $problems "canary.tokenAddress: a token that trades, of the canary's jobs" }}
{{- end }}
{{- if not .apiKey.existingSecret }}
{{- $problems = append $problems "canary.apiKey.existingSecret: a Secret with the API key of the canary" }}
{{- end }}
{{- if not .wallet.existingSecret }}
{{- $problems = append $problems "canary.wallet.existingSecret: a Secret with the private key of the canary's wallet" }}
{{- end }}
{{- if and (not .apiUrl) (not $.Values.apiGateway.enabled) }}
{{- $problems = append $problems "canary.apiUrl: where the canary finds the API" }}
{{- end }}
{{- end }}
{{- end }}
{{- if and (or .Values.makerExecutor.enabled .Values.site.enabled) (not .Values.treasury) }}
{{- $problems = append $problems "treasury: where the fee goes; the wizard shows it" }}
{{- end }}
{{- if .Values.site.enabled }}
{{- if not (include "maker.apiBaseUrl" .) }}
{{- $problems = append $problems "hosts.site or site.configuration.apiBaseUrl: where browsers find the API" }}
{{- end }}
{{- end }}
{{- if or .Values.ingress.enabled .Values.httpRoute.parentRefs }}
{{- if and .Values.site.enabled (not .Values.hosts.site) }}
{{- $problems = append $problems "hosts.site: the host of the site, behind ingress or httpRoute" }}
{{- end }}
{{- if and .Values.apiGateway.enabled (not (include "maker.apiHost" .)) }}
{{- $problems = append $problems "hosts.api: the host of the API, behind ingress or httpRoute" }}
{{- end }}
{{- end }}
{{- range $name := list "apiGateway" "tokenValidation" "job" "paymentWatcher" "makerExecutor" "receipts" "webhookSender" "site" }}
{{- $grace := int (index $.Values $name).terminationGracePeriodSeconds }}
{{- if le (mul $grace 1000) (int $.Values.shutdownDrainMs) }}
{{- $problems = append $problems (printf "%s.terminationGracePeriodSeconds: must be longer than shutdownDrainMs, or the kubelet kills the pod before its work ends" $name) }}
{{- end }}
{{- end }}
{{- join "\n" (concat $problems (include "maker.takenLabels" . | fromJsonArray) (include "maker.refusals" . | fromJsonArray) (include "maker.contradictions" . | fromJsonArray) (include "maker.missingObjects" . | fromJsonArray) | uniq) }}
{{- end }}

{{/* Labels in the values that the chart reserves for its own selectors; a JSON list. */}}
{{- define "maker.takenLabels" -}}
{{- $problems := list }}
{{- $places := dict "commonLabels" .Values.commonLabels "podDefaults.podLabels" .Values.podDefaults.podLabels }}
{{- range $name, $values := .Values }}
{{- if and (kindIs "map" $values) (hasKey $values "podLabels") (ne (toJson (get $values "podLabels")) (toJson $.Values.podDefaults.podLabels)) }}{{ $_ := set $places (printf "%s.podLabels" $name) $values.podLabels }}{{ end }}
{{- end }}
{{- range $place, $labels := $places }}
{{- range list "app.kubernetes.io/component" "app.kubernetes.io/instance" "app.kubernetes.io/managed-by" "app.kubernetes.io/name" "app.kubernetes.io/version" "helm.sh/chart" }}
{{- if hasKey $labels . }}
{{- $problems = append $problems (printf "%s: %s is the chart's own" $place .) }}
{{- end }}
{{- end }}
{{- end }}
{{- $problems | toJson }}
{{- end }}

{{/* Values that are valid alone and do not fit together, as a JSON list. */}}
{{- define "maker.contradictions" -}}
{{- $problems := list }}
{{- $chain := .Values.chain }}
{{- $kept := .Values.networkPolicy.chain.keptBy }}
{{- if and .Values.site.enabled (ne (int64 $chain.id) 999) (hasPrefix "https://hyperevmscan.io" .Values.site.configuration.explorerUrl) }}
{{- $problems = append $problems (printf "site.configuration.explorerUrl: the block explorer of chain %d, or nothing; this one shows chain 999" (int64 $chain.id)) }}
{{- end }}
{{- with $chain.hyperCoreApiUrl }}
{{- if ne (contains "testnet" .) (eq (int64 $chain.id) 998) }}
{{- if contains "hyperliquid" . }}
{{- $problems = append $problems (printf "chain.hyperCoreApiUrl: %s is not the one of chain %d" . (int64 $chain.id)) }}
{{- end }}
{{- end }}
{{- end }}
{{- if and (not $chain.existingSecret) (gt (len $chain.rpcRequestsPerMinute) (len .Values.rpc.urls)) }}
{{- $problems = append $problems (printf "chain.rpcRequestsPerMinute: has %d places for %d rpc.urls" (len $chain.rpcRequestsPerMinute) (len .Values.rpc.urls)) }}
{{- end }}
{{- range $value, $urls := dict "rpc.urls" .Values.rpc.urls "nats.url" .Values.nats.url }}
{{- range $urls }}
{{- if gt (include "maker.portOf" . | int) 65535 }}
{{- $problems = append $problems (printf "%s: %s names a port that does not exist" $value .) }}
{{- end }}
{{- end }}
{{- end }}
{{- $requests := $chain.rpcRequestsPerMinute }}
{{- if and $requests (not (has 0.0 $requests)) (not (has 0 $requests)) }}
{{- $sum := 0 }}
{{- range $requests }}{{ $sum = add $sum (int64 .) }}{{ end }}
{{- if gt (int64 .Values.job.capacity.orderRequestsPerMinute) $sum }}
{{- $problems = append $problems (printf "job.capacity.orderRequestsPerMinute: promises payers more than the %d of chain.rpcRequestsPerMinute" $sum) }}
{{- end }}
{{- end }}
{{- $minimum := float64 .Values.minimumPaymentHype }}
{{- if or (eq $minimum 0.0) (gt $minimum 1000.0) }}
{{- $problems = append $problems (printf "minimumPaymentHype: %s is not above 0 and at most 1000, which is the most that a job takes" .Values.minimumPaymentHype) }}
{{- end }}
{{- $plan := .Values.job.plan }}
{{- if gt (int64 $plan.executionWindowSeconds) 2592000 }}
{{- $problems = append $problems "job.plan.executionWindowSeconds: longer than 30 days; every job would be refused" }}
{{- end }}
{{- if and .Values.hosts.api (eq .Values.hosts.api .Values.hosts.site) }}
{{- if or .Values.ingress.enabled .Values.httpRoute.parentRefs }}
{{- $problems = append $problems "hosts.api: the same as hosts.site; both want all paths of it" }}
{{- end }}
{{- end }}
{{- if and .Values.hosts.verify (has .Values.hosts.verify (list .Values.hosts.site (include "maker.apiHost" .))) }}
{{- $problems = append $problems "hosts.verify: the same as hosts.site or hosts.api; the page that checks receipts needs an origin of its own" }}
{{- end }}
{{- range $name := list "apiGateway" "tokenValidation" "job" "makerExecutor" "receipts" "site" }}
{{- with (index $.Values $name).autoscaling }}
{{- if .enabled }}
{{- if gt (int .minReplicas) (int .maxReplicas) }}
{{- $problems = append $problems (printf "%s.autoscaling: minReplicas is above maxReplicas" $name) }}
{{- end }}
{{- if eq $.Values.autoscaling.by "keda" }}
{{- if .metrics }}
{{- $problems = append $problems (printf "%s.autoscaling.metrics: are those of a HorizontalPodAutoscaler; with autoscaling.by: keda a ScaledObject of your own has them (extraObjects)" $name) }}
{{- end }}
{{- if and (or .liveChannelsPerReplica .executionsPerReplica .overdueSeconds) (not $.Values.autoscaling.prometheusAddress) }}
{{- $problems = append $problems "autoscaling.prometheusAddress: where KEDA asks how much there is to do" }}
{{- end }}
{{- end }}
{{- if ge (int64 (default 0 .liveChannelsPerReplica)) 10000 }}
{{- $problems = append $problems (printf "%s.autoscaling.liveChannelsPerReplica: a replica refuses channels from 10,000 on; aim lower" $name) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.webhookSender }}
{{- if and .enabled (ge 15 (int .terminationGracePeriodSeconds)) }}
{{- $problems = append $problems "webhookSender.terminationGracePeriodSeconds: must be longer than the 15 s that a receiver may take, or answers are lost at shutdown" }}
{{- end }}
{{- end }}
{{- if ne $kept "addresses" }}
{{- if not .Values.networkPolicy.enabled }}
{{- $problems = append $problems (printf "networkPolicy.chain.keptBy: %s needs networkPolicy.enabled" $kept) }}
{{- end }}
{{- if and $chain.existingSecret (not $chain.hosts) }}
{{- $problems = append $problems (printf "chain.hosts: the hosts of the RPC endpoints in the Secret, for networkPolicy.chain.keptBy: %s" $kept) }}
{{- end }}
{{- end }}
{{- if eq $kept "proxy" }}
{{- range concat (ternary list .Values.rpc.urls (ne $chain.existingSecret "")) (list (include "maker.hyperCoreApiUrl" .)) }}
{{- if hasPrefix "http://" . }}
{{- $problems = append $problems (printf "networkPolicy.chain.keptBy: the proxy forwards TLS only; %s has none" .) }}
{{- end }}
{{- end }}
{{- end }}
{{- if .Values.alertmanagerConfig.enabled }}
{{- range $name := list "page" "deadMansSwitch" }}
{{- if not (index $.Values.alertmanagerConfig.receivers $name) }}
{{- $problems = append $problems (printf "alertmanagerConfig.receivers.%s: set a receiver" $name) }}
{{- end }}
{{- end }}
{{- end }}
{{- $alerts := list }}
{{- range $path, $_ := .Files.Glob "rules/*.yaml" }}
{{- range ($.Files.Get $path | fromYaml).groups }}{{ range .rules }}{{ $alerts = append $alerts (default "" .alert) }}{{ end }}{{ end }}
{{- end }}
{{- range concat (keys .Values.prometheusRule.alerts | sortAlpha) .Values.prometheusRule.disabled }}
{{- if not (has . $alerts) }}
{{- $problems = append $problems (printf "prometheusRule: there is no alert %s" .) }}
{{- end }}
{{- end }}
{{- $problems | toJson }}
{{- end }}
