import type { ZoneUsage } from '../../../domain/insights/usage.ts'
import { columns, totalFields } from './usage-fields.ts'

/** What Prometheus' text format, version 0.0.4, is called. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

/** The totals of each zone as gauges: a period that goes on may begin anew, as counters may not. */
export function usageMetrics(zones: readonly ZoneUsage[]): string {
  const totals = zones.map(({ zone, totals: sums }) => ({ zone, sums: totalFields(sums) }))
  return columns
    .map((column) => {
      const name = `sedge_usage_${snakeCase(column)}`
      const samples = totals.map(
        ({ zone, sums }) => `${name}{zone="${labelText(zone)}"} ${sums[column]}\n`,
      )
      return `# HELP ${name} ${column} of the period.\n# TYPE ${name} gauge\n${samples.join('')}`
    })
    .join('')
}

const snakeCase = (name: string): string =>
  name.replaceAll(/(?<=[a-z])[A-Z]/gu, (letter) => `_${letter}`).toLowerCase()

const labelText = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
