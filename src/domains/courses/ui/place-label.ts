import { isolated } from '../../../isolated.ts'
import { clockTime } from '../../lessons/ui/clock-time.ts'
import { withoutLightning } from '../rules.ts'

/** Where somebody goes on: 'Kneading at 12:30', without the time where nothing was begun. */
export function placeLabel(lesson: { title: string; position: number }): string {
  const title = withoutLightning(lesson.title)
  return lesson.position > 0 ? `${isolated(title)} at ${clockTime(lesson.position)}` : title
}
