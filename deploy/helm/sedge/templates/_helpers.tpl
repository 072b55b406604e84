{{- define "sedge.name" -}}
{{- .Values.fullnameOverride | default .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "sedge.secretName" -}}
{{- .Values.secretName | default (include "sedge.name" .) -}}
{{- end -}}

{{- define "sedge.hasControl" -}}
{{- if ne .Values.mode "edges" }}true{{ end -}}
{{- end -}}

{{- define "sedge.hasEdges" -}}
{{- if or (eq .Values.mode "edges") .Values.edges.enabled }}true{{ end -}}
{{- end -}}

{{/* Of this release alone; those of a part come on top. */}}
{{- define "sedge.selector" -}}
app.kubernetes.io/name: sedge
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "sedge.labels" -}}
{{ include "sedge.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (.Chart.Version | replace "+" "_") }}
{{- end -}}

{{- define "sedge.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* What each pod is held to, with what `component` it is: dict "root" $ "component" "edge". */}}
{{- define "sedge.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
# What is in flight has ten seconds to be finished, after the Services have forgotten the pod.
terminationGracePeriodSeconds: 30
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "sedge.selector" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "sedge.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "sedge.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{/* /live asks the process alone: /api/health also fails where PostgreSQL is away, though all nodes can still deliver. */}}
{{- define "sedge.probes" -}}
startupProbe:
  httpGet: { path: /live, port: metrics }
  periodSeconds: 2
  failureThreshold: {{ .startFailures }}
readinessProbe:
  httpGet: { path: /live, port: metrics }
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 2
livenessProbe:
  httpGet: { path: /live, port: metrics }
  periodSeconds: 10
  timeoutSeconds: 10
  failureThreshold: 3
lifecycle:
  preStop: { exec: { command: [sleep, '5'] } }
{{- end -}}
