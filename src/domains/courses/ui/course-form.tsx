import { type SubmitEvent, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Control, Controller, type Resolver, useForm, useWatch } from 'react-hook-form'
import { useNavigate, useRevalidator } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field, Input, Select, Textarea } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { ApplicationFields } from '../../applications/ui/application-fields.tsx'
import { CourseLimitNotice } from '../../billing/ui/course-limit-notice.tsx'
import { RichTextEditor } from '../../lessons/ui/rich-text-editor.tsx'
import { ThumbnailUpload } from '../../media/ui/thumbnail-upload.tsx'
import { categories, levels, limits } from '../rules.ts'
import type { CourseForm } from '../schema.ts'
import {
  type CourseFields,
  startingFields,
  type StoredCourse,
  type StoredQuestions,
} from './course-form-fields.ts'
import { useLeaveGuard } from './leave-guard.tsx'
import { PricingFields } from './pricing-fields.tsx'
import { useHasLeft } from './use-has-left.ts'

const saveFailed = 'Failed to create course. Please try again.'

/** What checks and saves comes after the page, and long before it is needed. */
const loadCalls = () => import('./course-form-calls.ts')
const resolver: Resolver<CourseFields, unknown, CourseForm> = async (...form) =>
  (await loadCalls()).checkCourse(...form)

type CourseInformationProps = {
  /** Null for a new course. */
  course: StoredCourse | null
  /** Null for a new course, and when they could not be loaded. */
  questions: StoredQuestions | null
  /** Null when it could not be found out. */
  mayCreate: boolean | null
  /** Why nobody may at the moment. */
  off?: string
}

/** Step 1 of 2. A new course is a draft; saving goes on to its lessons. */
export function CourseInformation({ course, questions, mayCreate, off }: CourseInformationProps) {
  const navigate = useNavigate()
  const hasLeft = useHasLeft()
  const { revalidate } = useRevalidator()
  const hydrated = useHydrated()
  const [thumbnail, setThumbnail] = useState(
    course?.thumbnailId && course.thumbnail
      ? { id: course.thumbnailId, url: course.thumbnail.medium }
      : null,
  )
  const [isLocked, setLocked] = useState(false)
  const [upload, setUpload] = useState<'idle' | 'uploading' | 'failed'>('idle')
  const form = useForm<CourseFields, unknown, CourseForm>({
    resolver,
    defaultValues: startingFields(course, questions),
  })
  const { control, register, handleSubmit, setValue, setError, formState } = form
  const { errors, isSubmitting, isDirty } = formState
  const guard = useLeaveGuard(isDirty, 'What you changed in this form is not saved yet.')
  const enabled = hydrated && mayCreate === true

  useEffect(() => {
    // A failure shows when saving.
    if (isDirty) loadCalls().catch(() => {})
  }, [isDirty])

  async function save(checked: CourseForm) {
    if (upload === 'uploading') {
      setError('root', { message: 'Please wait for the thumbnail upload to complete.' })
      return
    }
    if (upload === 'failed') {
      setError('root', { message: 'Please resolve all upload errors before saving.' })
      return
    }
    const { createCourse, updateCourse } = await loadCalls()
    const answer = course
      ? await updateCourse(checked, course, questions)
      : await createCourse(checked)
    if ('problem' in answer) {
      setError('root', { message: answer.problem })
      return
    }
    // The header lists the courses by title; without this it would keep the old list.
    void revalidate()
    if (hasLeft()) {
      void toast.success(course ? 'Your changes are saved.' : 'Your course is saved as a draft.')
      return
    }
    guard.release()
    // The form for a new course would make another one, or be closed: Back leads to where one came from.
    await navigate(`/create-lessons/${answer.id}`, { replace: course === null })
  }

  function submit(event: SubmitEvent) {
    setLocked(true)
    // Somebody may have pressed Enter in a field, which cannot keep the focus now.
    event.nativeEvent.submitter?.focus()
    // What is wrong gets the focus right after, and nothing in a locked form can.
    const send = handleSubmit(save, () => flushSync(() => setLocked(false)))
    send(event)
      // Without a connection the checks themselves may be missing.
      .catch(() => setError('root', { message: saveFailed }))
      .finally(() => setLocked(false))
  }

  return (
    <>
      <form onSubmit={submit} noValidate className="grid gap-6">
        <noscript>
          <Banner>Making and changing a course needs JavaScript.</Banner>
        </noscript>
        {off ? <Banner tone="warning">{off}</Banner> : mayCreate === false && <CourseLimitNotice />}
        {mayCreate === null && (
          <Banner
            tone="danger"
            title="This form is closed for the moment"
            action={
              <ButtonLink to="/create-course" reloadDocument variant="secondary" size="sm">
                Try again
              </ButtonLink>
            }
          >
            We could not check whether you may create another course.
          </Banner>
        )}
        <fieldset
          disabled={mayCreate !== true}
          // What is typed before the page is hydrated, or while a save is on its way, would be lost.
          inert={!hydrated || isLocked}
          className="grid min-w-0 items-start gap-6 grid-cols-1 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)] lg:grid-rows-[auto_auto_1fr]"
        >
          <legend className="sr-only">Course Information</legend>
          <Card className="grid min-w-0 grid-cols-1 gap-6">
            <Field
              label="Title"
              required
              error={errors.title?.message}
              aside={<Counted control={control} name="title" max={limits.title} />}
            >
              <Input {...register('title')} autoComplete="off" />
            </Field>
            <div id="short-description" className="scroll-mt-24">
              <Field
                label="Short description"
                optional
                hint="One or two sentences for the course card and for search results."
                error={errors.shortDescription?.message}
                aside={
                  <Counted
                    control={control}
                    name="shortDescription"
                    max={limits.shortDescription}
                  />
                }
              >
                <Textarea {...register('shortDescription')} rows={2} className="min-h-20" />
              </Field>
            </div>
            <div id="description" className="scroll-mt-24">
              <Controller
                control={control}
                name="description"
                render={({ field, fieldState }) => (
                  <RichTextEditor
                    ref={field.ref}
                    later
                    label="Description"
                    required
                    disabled={mayCreate !== true}
                    initialValue={field.value}
                    onChange={field.onChange}
                    onBlur={field.onBlur}
                    hint="Who it is for, what it takes, what one can do afterwards."
                    error={fieldState.error?.message}
                  />
                )}
              />
            </div>
          </Card>
          <div className="grid min-w-0 grid-cols-1 gap-6 sm:max-lg:grid-cols-2 lg:col-start-2 lg:row-span-3 lg:row-start-1">
            <Card id="picture" inert={mayCreate !== true} className="scroll-mt-24">
              <ThumbnailUpload
                className="grid-cols-1"
                courseId={course?.id}
                value={thumbnail}
                onBusyChange={setUpload}
                onChange={(value) => {
                  setThumbnail(value)
                  setValue('thumbnailId', value?.id ?? null, { shouldDirty: true })
                }}
              />
            </Card>
            <Card className="grid gap-5">
              <Field label="Category" required error={errors.category?.message}>
                <Select {...register('category')}>
                  <option value="">Select a category</option>
                  {categories.map((category) => (
                    <option key={category}>{category}</option>
                  ))}
                </Select>
              </Field>
              <Field label="Level" error={errors.level?.message}>
                <Select {...register('level')}>
                  {levels.map((level) => (
                    <option key={level}>{level}</option>
                  ))}
                </Select>
              </Field>
              <PricingFields form={form} course={course} />
            </Card>
          </div>
          <Card
            id="application"
            className="grid min-w-0 scroll-mt-24 grid-cols-1 gap-5 lg:col-start-1"
          >
            <ApplicationFields
              form={form}
              questionsMissing={course !== null && questions === null}
            />
          </Card>
          <Card id="watermark" className="scroll-mt-24 lg:col-start-1">
            <Checkbox
              {...register('watermark')}
              label={<span className="font-semibold">Watermark on videos</span>}
              hint="Each viewer’s own email address (or @name, without one) lies faintly over your videos and moves to another place every half minute. It makes people think twice before they pass a recording on; it cannot prevent that. Embedded videos (YouTube, Vimeo) are not watermarked."
            />
          </Card>
        </fieldset>
        {errors.root?.message && (
          <Banner tone="danger" title={course ? 'Not saved' : 'Not created'}>
            {errors.root.message}
          </Banner>
        )}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <ButtonLink to="/dashboard" variant="secondary">
            Cancel
          </ButtonLink>
          <Button
            type="submit"
            disabled={!enabled}
            busy={isSubmitting}
            busyText={course ? 'Saving...' : 'Creating...'}
          >
            {course ? 'Save and continue' : 'Continue'}
          </Button>
        </div>
      </form>
      {/* It has a form of its own. */}
      {guard.dialog}
    </>
  )
}

type CountedProps = {
  control: Control<CourseFields, unknown, CourseForm>
  name: 'title' | 'shortDescription'
  max: number
}

/** Only the count is drawn again while somebody types. */
function Counted({ control, name, max }: CountedProps) {
  return <CharacterCount value={useWatch({ control, name }) ?? ''} max={max} />
}
