{{/* Common parts of all pods. Each helper takes a component; see _names.tpl. */}}

{{- define "maker.podMetadata" -}}
labels:
  {{- include "maker.podLabels" . | nindent 2 }}
{{- $annotations := merge (dict) .values.podAnnotations .root.Values.commonAnnotations }}
{{- with .checksum }}
{{- $_ := set $annotations "checksum/configuration" . }}
{{- end }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Everything of a pod's spec but its containers and volumes. */}}
{{- define "maker.podBasics" -}}
serviceAccountName: {{ include "maker.componentName" . }}
automountServiceAccountToken: false
enableServiceLinks: false
terminationGracePeriodSeconds: {{ .values.terminationGracePeriodSeconds }}
securityContext:
  {{- include "maker.podSecurityContext" . | nindent 2 }}
{{- include "maker.pullSecrets" .root }}
{{- include "maker.podPlacement" . }}
{{- end }}

{{/* Scheduling of a pod, and its values' further fields of the spec. */}}
{{- define "maker.podPlacement" -}}
{{- /* Fields that the chart sets itself; podSpec cannot override them. */}}
{{- $spec := .values.podSpec }}
{{- range list "containers" "initContainers" "volumes" "securityContext" "serviceAccountName" "automountServiceAccountToken" "enableServiceLinks" "terminationGracePeriodSeconds" "imagePullSecrets" "priorityClassName" "nodeSelector" "tolerations" "affinity" "topologySpreadConstraints" "restartPolicy" }}
{{- $spec = omit $spec . }}
{{- end }}
{{- with $spec }}
{{ toYaml . }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- range . }}
  {{- $own := dict "labelSelector" (dict "matchLabels" (include "maker.selectorLabels" $ | fromYaml)) }}
  - {{ toYaml (merge (dict) . $own) | nindent 4 | trim }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Everything of a service's container but its ports, environment and mounts. */}}
{{- define "maker.containerBasics" -}}
image: {{ include "maker.image" . }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  {{- toYaml .values.containerSecurityContext | nindent 2 }}
resources:
  {{- toYaml .values.resources | nindent 2 }}
startupProbe:
  httpGet: { path: /livez, port: ops }
  {{- with .values.probes.startup }}{{ toYaml . | nindent 2 }}{{ end }}
readinessProbe:
  httpGet: { path: /readyz, port: ops }
  {{- with .values.probes.readiness }}{{ toYaml . | nindent 2 }}{{ end }}
livenessProbe:
  httpGet: { path: /livez, port: ops }
  {{- with .values.probes.liveness }}{{ toYaml . | nindent 2 }}{{ end }}
{{- with .values.lifecycle }}
lifecycle:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.extraEnvFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Whether a component logs in to NATS with a password; "true" or nothing. */}}
{{- define "maker.hasNatsPassword" -}}
{{- if and (has .component (include "maker.serverUsers" .root | fromJsonArray)) (not (include "maker.runsNats" .root)) }}true{{ end }}
{{- end }}

{{/* Mounts of every service's container. */}}
{{- define "maker.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if include "maker.hasNatsPassword" . }}
- name: nats-password
  mountPath: /etc/maker/nats
  readOnly: true
{{- end }}
{{- if and .readsExchanges .root.Values.chain.exchanges }}
- name: exchanges
  mountPath: /etc/maker/chain
  readOnly: true
{{- end }}
{{- with .values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Volumes of every service's pod. */}}
{{- define "maker.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- if include "maker.hasNatsPassword" . }}
- name: nats-password
  secret:
    secretName: {{ include "maker.keysSecret" .root }}
    defaultMode: 0440
    items:
      - key: nats-{{ .component }}
        path: password
{{- end }}
{{- if and .readsExchanges .root.Values.chain.exchanges }}
- name: exchanges
  configMap:
    name: {{ include "maker.fullname" .root }}-exchanges
{{- end }}
{{- with .values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* `imagePullSecrets` of a pod. Takes the root context. */}}
{{- define "maker.pullSecrets" -}}
{{- $secrets := list }}
{{- range concat (default list (default dict .Values.global).imagePullSecrets) .Values.image.pullSecrets }}
{{- $secrets = append $secrets (ternary (dict "name" .) . (kindIs "string" .)) }}
{{- end }}
{{- with $secrets | uniq }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Security context of a pod. Takes "root"; "values" of its component, if any; "user" if its image has its own. */}}
{{- define "maker.podSecurityContext" -}}
{{- $context := deepCopy (default .root.Values.podDefaults .values).securityContext }}
{{- with .user }}{{ $context = merge (dict "runAsUser" . "runAsGroup" . "fsGroup" .) $context }}{{ end }}
{{- if .root.Values.openshift }}{{ $context = omit $context "runAsUser" "runAsGroup" "fsGroup" }}{{ end }}
{{- toYaml $context }}
{{- end }}
