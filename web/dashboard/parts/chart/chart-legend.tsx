import type { BarChartProps } from './bar-chart.tsx'

/** What the colours of a chart stand for, and its line. */
export const ChartLegend = ({
  series,
  formerName,
}: Pick<BarChartProps, 'series' | 'formerName'>) => (
  <ul className="chart-legend">
    {series.map(({ name, tone }) => (
      <li key={name}>
        <span className={`swatch tone-${tone}`} />
        {name}
      </li>
    ))}
    {formerName !== undefined && (
      <li>
        <span className="swatch swatch-line" />
        {formerName}
      </li>
    )}
  </ul>
)
