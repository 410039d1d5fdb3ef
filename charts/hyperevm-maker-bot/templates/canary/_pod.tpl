{{/* The pod of one round. Takes the component; see _names.tpl. */}}

{{- define "maker.canaryPod" -}}
{{- $gateway := include "maker.componentName" (dict "root" .root "component" "api-gateway") -}}
metadata:
  {{- include "maker.podMetadata" . | nindent 2 }}
spec:
  {{- include "maker.podBasics" . | nindent 2 }}
  # A retry would pay again.
  restartPolicy: Never
  containers:
    - name: canary
      image: {{ include "maker.opsImage" .root }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      securityContext:
        {{- toYaml .values.containerSecurityContext | nindent 8 }}
      resources:
        {{- toYaml .values.resources | nindent 8 }}
      args: [canary]
      ports:
        - { name: ops, containerPort: 9090 }
      {{- with .values.extraEnvFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      env:
        - name: LOG_LEVEL
          value: {{ .root.Values.logLevel }}
        - name: OPS_PORT
          value: "9090"
        - name: CHAIN_ID
          value: {{ .root.Values.chain.id | int64 | quote }}
        {{- include "maker.environment.rpcUrls" . | nindent 8 }}
        - name: MINIMUM_PAYMENT_HYPE
          value: {{ .root.Values.minimumPaymentHype | quote }}
        - name: CANARY_API_URL
          value: {{ default (printf "http://%s" $gateway) .values.apiUrl | quote }}
        - name: API_KEY_FILE
          value: /etc/maker/api-key/api-key
        - name: CANARY_PRIVATE_KEY_FILE
          value: /etc/maker/wallet/private-key
        - name: CANARY_TOKEN_ADDRESS
          value: {{ .values.tokenAddress | quote }}
        - name: CANARY_DAILY_FEE_HYPE
          value: {{ .values.dailyFeeHype | quote }}
        {{- /* The proxy does not allow the API's host. */}}
        {{- if eq .root.Values.networkPolicy.chain.keptBy "proxy" }}
        - name: NODE_USE_ENV_PROXY
          value: "1"
        - name: HTTPS_PROXY
          value: http://{{ include "maker.componentName" (dict "root" .root "component" "egress-proxy") }}:3128
        {{- with .values.apiUrl }}
        - name: NO_PROXY
          value: {{ regexReplaceAll ":[0-9]+$" (urlParse .).host "" }}
        {{- end }}
        {{- end }}
        {{- include "maker.environment.extra" . | nindent 8 }}
      volumeMounts:
        {{- include "maker.volumeMounts" . | nindent 8 }}
        - name: api-key
          mountPath: /etc/maker/api-key
          readOnly: true
        - name: wallet
          mountPath: /etc/maker/wallet
          readOnly: true
  volumes:
    {{- include "maker.volumes" . | nindent 4 }}
    - name: api-key
      secret:
        secretName: {{ .values.apiKey.existingSecret }}
        defaultMode: 0440
        items:
          - key: {{ .values.apiKey.key }}
            path: api-key
    - name: wallet
      secret:
        secretName: {{ .values.wallet.existingSecret }}
        defaultMode: 0440
        items:
          - key: {{ .values.wallet.key }}
            path: private-key
{{- end }}
