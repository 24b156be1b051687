// The fields of a lesson stay alive while the lesson moves to another chapter: the undo steps and the cursor are
// in them. So each lesson has one element for its fields,
// which the panel that shows the lesson takes in.
export type FieldsHomes = (lessonKey: string) => HTMLElement

/** Browser only. */
export function fieldsHomes(): FieldsHomes {
  const homes = new Map<string, HTMLElement>()
  return (key) => {
    const home = homes.get(key) ?? document.createElement('div')
    homes.set(key, home)
    return home
  }
}
