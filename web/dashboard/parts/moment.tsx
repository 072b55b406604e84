import { humanAge, humanTime } from './format.ts'

/** A time as people say it, and to the minute for whoever points at it. */
export const Moment = ({ time }: { readonly time: string }) => (
  <time dateTime={time} title={humanTime(time)}>
    {humanAge(time)}
  </time>
)
