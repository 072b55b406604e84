/** For `rich`: what is heard and not seen, `'Remove <hidden>{name}</hidden>'`. */
export const hidden = (text: string) => <span className="hidden-text">{text}</span>
