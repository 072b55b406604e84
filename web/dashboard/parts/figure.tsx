/** A number that stands for itself; in a list of class `figures`. */
export const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div className="card figure">
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
