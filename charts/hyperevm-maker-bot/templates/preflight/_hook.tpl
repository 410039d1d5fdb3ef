{{/* Parts of the hook that checks RPC endpoints and exchanges. */}}

{{/* Head of an object that exists during the hook. Takes "component", "apiVersion", "kind" and "weight"; "name" if
it is not the component's. */}}
{{- define "maker.preflightObject" }}
{{- $root := .component.root }}
apiVersion: {{ .apiVersion }}
kind: {{ .kind }}
metadata:
  name: {{ default (include "maker.componentName" .component) .name }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "maker.labels" .component | nindent 4 }}
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-weight: {{ .weight | quote }}
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
    {{- if eq .kind "Job" }}
    helm.sh/hook-output-log-policy: hook-succeeded,hook-failed
    {{- end }}
    {{- $own := dict }}
    {{- if eq .kind "ServiceAccount" }}{{ $own = .component.values.serviceAccountAnnotations }}{{ end }}
    {{- with merge (dict) $own $root.Values.commonAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}

{{/* Takes the component; see _names.tpl. */}}
{{- define "maker.preflightPod" -}}
metadata:
  {{- include "maker.podMetadata" . | nindent 2 }}
spec:
  {{- include "maker.podBasics" . | nindent 2 }}
  # The failed pod stays with its log.
  restartPolicy: Never
  containers:
    - name: preflight
      image: {{ include "maker.opsImage" .root }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      securityContext:
        {{- toYaml .values.containerSecurityContext | nindent 8 }}
      resources:
        {{- toYaml .values.resources | nindent 8 }}
      args:
        - preflight
        {{- with .values.tokenAddress }}
        - --token={{ . }}
        {{- end }}
      {{- with .values.extraEnvFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      env:
        - name: CHAIN_ID
          value: {{ .root.Values.chain.id | int64 | quote }}
        {{- include "maker.environment.rpcUrls" . | nindent 8 }}
        {{- with .root.Values.chain.rpcRequestsPerMinute }}
        - name: CHAIN_RPC_REQUESTS_PER_MINUTE
          value: {{ join "," . | quote }}
        {{- end }}
        {{- if .root.Values.chain.exchanges }}
        - name: CHAIN_EXCHANGES_FILE
          value: /etc/maker/chain/exchanges.json
        {{- end }}
        {{- include "maker.environment.extra" . | nindent 8 }}
      volumeMounts:
        {{- include "maker.volumeMounts" . | nindent 8 }}
        {{- if .root.Values.chain.exchanges }}
        - name: exchanges
          mountPath: /etc/maker/chain
          readOnly: true
        {{- end }}
  volumes:
    {{- include "maker.volumes" . | nindent 4 }}
    {{- if .root.Values.chain.exchanges }}
    - name: exchanges
      configMap:
        name: {{ include "maker.componentName" . }}
    {{- end }}
{{- end }}
