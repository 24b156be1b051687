CREATE TABLE "user_activities" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"user_id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"activity_type" text NOT NULL,
	"lesson_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "course_application_answers" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"application_id" uuid NOT NULL,
	"question_id" uuid,
	"question" text NOT NULL,
	"required" boolean NOT NULL,
	"order_index" integer NOT NULL,
	"answer" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "course_application_decisions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"course_id" uuid NOT NULL,
	"decision" text NOT NULL,
	"reviewer_notes" text DEFAULT '' NOT NULL,
	"notes_shared" boolean DEFAULT false NOT NULL,
	"apply_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "course_applications" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"course_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"submitted_at" timestamp with time zone DEFAULT now() NOT NULL,
	"reviewed_at" timestamp with time zone,
	"reviewer_notes" text DEFAULT '' NOT NULL,
	"notes_shared" boolean DEFAULT false NOT NULL,
	"decision_id" uuid
);
--> statement-breakpoint
CREATE TABLE "plan_grants" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "counter_checks" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"counter" text NOT NULL,
	"differences" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "course_invitations" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"course_id" uuid NOT NULL,
	"code" text NOT NULL,
	"email" text,
	"max_uses" integer,
	"uses_count" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "course_invitations_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "live_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "live_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"topic" text NOT NULL,
	"event" jsonb NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"horizon" "xid8" DEFAULT pg_snapshot_xmin(pg_current_snapshot()) NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_preferences" (
	"user_id" uuid NOT NULL,
	"switch" text NOT NULL,
	"in_app" boolean NOT NULL,
	"email" text NOT NULL,
	CONSTRAINT "notification_preferences_user_id_switch_pk" PRIMARY KEY("user_id","switch")
);
--> statement-breakpoint
DROP INDEX "enrollments_course_newest";--> statement-breakpoint
ALTER TABLE "enrollments" ADD COLUMN "invitation_id" uuid;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "kind" text DEFAULT 'system_announcement' NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "href" text;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "in_app" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "digest_due" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "user_activities" ADD CONSTRAINT "user_activities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_activities" ADD CONSTRAINT "user_activities_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_activities" ADD CONSTRAINT "user_activities_lesson_id_lessons_id_fk" FOREIGN KEY ("lesson_id") REFERENCES "public"."lessons"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_application_answers" ADD CONSTRAINT "course_application_answers_application_id_course_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."course_applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_application_answers" ADD CONSTRAINT "course_application_answers_question_id_course_application_questions_id_fk" FOREIGN KEY ("question_id") REFERENCES "public"."course_application_questions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_application_decisions" ADD CONSTRAINT "course_application_decisions_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_applications" ADD CONSTRAINT "course_applications_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_applications" ADD CONSTRAINT "course_applications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_applications" ADD CONSTRAINT "course_applications_decision_id_course_application_decisions_id_fk" FOREIGN KEY ("decision_id") REFERENCES "public"."course_application_decisions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_grants" ADD CONSTRAINT "plan_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_invitations" ADD CONSTRAINT "course_invitations_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_preferences" ADD CONSTRAINT "notification_preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "user_activities_user_newest" ON "user_activities" USING btree ("user_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "user_activities_course_newest" ON "user_activities" USING btree ("course_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "user_activities_lesson_once" ON "user_activities" USING btree ("lesson_id","user_id");--> statement-breakpoint
CREATE INDEX "course_application_answers_application" ON "course_application_answers" USING btree ("application_id","order_index");--> statement-breakpoint
CREATE INDEX "course_application_answers_question" ON "course_application_answers" USING btree ("question_id");--> statement-breakpoint
CREATE INDEX "course_application_decisions_course" ON "course_application_decisions" USING btree ("course_id");--> statement-breakpoint
CREATE UNIQUE INDEX "course_applications_one_pending" ON "course_applications" USING btree ("course_id","user_id") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "course_applications_course_status" ON "course_applications" USING btree ("course_id","status","submitted_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "course_applications_user_course" ON "course_applications" USING btree ("user_id","course_id","submitted_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "course_applications_decision" ON "course_applications" USING btree ("decision_id") WHERE decision_id is not null;--> statement-breakpoint
CREATE INDEX "counter_checks_newest" ON "counter_checks" USING btree ("counter","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "course_invitations_course_newest" ON "course_invitations" USING btree ("course_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "course_invitations_course_email" ON "course_invitations" USING btree ("course_id","email") WHERE email is not null and revoked_at is null;--> statement-breakpoint
CREATE INDEX "live_events_topic_xid" ON "live_events" USING btree ("topic","xid");--> statement-breakpoint
CREATE INDEX "live_events_created" ON "live_events" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "enrollments" ADD CONSTRAINT "enrollments_invitation_id_course_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."course_invitations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "enrollments_invitation" ON "enrollments" USING btree ("invitation_id") WHERE invitation_id is not null;--> statement-breakpoint
CREATE INDEX "notifications_user_unread" ON "notifications" USING btree ("user_id") WHERE not read and in_app;--> statement-breakpoint
CREATE INDEX "notifications_digest_due" ON "notifications" USING btree ("user_id","created_at") WHERE digest_due;--> statement-breakpoint
CREATE INDEX "enrollments_course_newest" ON "enrollments" USING btree ("course_id","enrolled_at" DESC NULLS LAST,"id" DESC NULLS LAST);