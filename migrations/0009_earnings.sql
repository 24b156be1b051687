CREATE TABLE "course_day_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "course_day_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"course_id" uuid NOT NULL,
	"day" date NOT NULL,
	"metric" text NOT NULL,
	"lesson_id" uuid,
	"amount" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "course_days" (
	"course_id" uuid NOT NULL,
	"day" date NOT NULL,
	"students_count" integer DEFAULT 0 NOT NULL,
	"active" integer DEFAULT 0 NOT NULL,
	"completions" integer DEFAULT 0 NOT NULL,
	"posts" integer DEFAULT 0 NOT NULL,
	"comments" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "course_days_course_id_day_pk" PRIMARY KEY("course_id","day")
);
--> statement-breakpoint
CREATE TABLE "learner_days" (
	"course_id" uuid NOT NULL,
	"day" date NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "learner_days_course_id_day_user_id_pk" PRIMARY KEY("course_id","day","user_id")
);
--> statement-breakpoint
CREATE TABLE "lesson_counts" (
	"lesson_id" uuid PRIMARY KEY NOT NULL,
	"course_id" uuid NOT NULL,
	"started" integer DEFAULT 0 NOT NULL,
	"completed" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refund_requests" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"payment_id" uuid NOT NULL,
	"requested_by" uuid,
	"amount" integer NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"refusal" text,
	"refund_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "earning_days" (
	"account_id" uuid NOT NULL,
	"day" date NOT NULL,
	"currency" text NOT NULL,
	"course_id" uuid NOT NULL,
	"sales" integer DEFAULT 0 NOT NULL,
	"gross" bigint DEFAULT 0 NOT NULL,
	"platform_fee" bigint DEFAULT 0 NOT NULL,
	"provider_fee" bigint DEFAULT 0 NOT NULL,
	"refunded" bigint DEFAULT 0 NOT NULL,
	"disputed" bigint DEFAULT 0 NOT NULL,
	"dispute_fee" bigint DEFAULT 0 NOT NULL,
	"paid_out" bigint DEFAULT 0 NOT NULL,
	"payout_fee" bigint DEFAULT 0 NOT NULL,
	"given_up" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "earning_days_account_id_day_currency_course_id_pk" PRIMARY KEY("account_id","day","currency","course_id")
);
--> statement-breakpoint
CREATE TABLE "connected_accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"ledger_account_id" uuid NOT NULL,
	"details_submitted" boolean DEFAULT false NOT NULL,
	"payouts_enabled" boolean DEFAULT false NOT NULL,
	"disabled_reason" text,
	"currently_due" text[] DEFAULT '{}' NOT NULL,
	"checked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "connected_accounts_ledger_account_id_unique" UNIQUE("ledger_account_id")
);
--> statement-breakpoint
CREATE TABLE "payout_methods" (
	"ledger_account_id" uuid PRIMARY KEY NOT NULL,
	"method" text NOT NULL,
	"account_type" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"last4" text DEFAULT '' NOT NULL,
	"external_account_id" text,
	"paypal_email" text,
	"problem" text,
	"schedule" text DEFAULT 'manual' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"ledger_account_id" uuid NOT NULL,
	"method" text NOT NULL,
	"destination" text NOT NULL,
	"amount" integer NOT NULL,
	"fee" integer DEFAULT 0 NOT NULL,
	"currency" text NOT NULL,
	"status" text DEFAULT 'requested' NOT NULL,
	"is_automatic" boolean DEFAULT false NOT NULL,
	"connected_account_id" text,
	"transfer_id" text,
	"provider_payout_id" text,
	"failure" text,
	"covers_until" timestamp with time zone,
	"covers_payment_id" uuid,
	"arrives_at" timestamp with time zone,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"checked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payouts_transfer_id_unique" UNIQUE("transfer_id"),
	CONSTRAINT "payouts_provider_payout_id_unique" UNIQUE("provider_payout_id")
);
--> statement-breakpoint
ALTER TABLE "ledger_transactions" ALTER COLUMN "payment_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "payout_id" uuid;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "available_at" timestamp with time zone;--> statement-breakpoint
UPDATE "payments" SET "available_at" = "paid_at";--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "available_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "course_days" ADD CONSTRAINT "course_days_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "learner_days" ADD CONSTRAINT "learner_days_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "learner_days" ADD CONSTRAINT "learner_days_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_counts" ADD CONSTRAINT "lesson_counts_lesson_id_lessons_id_fk" FOREIGN KEY ("lesson_id") REFERENCES "public"."lessons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_counts" ADD CONSTRAINT "lesson_counts_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "earning_days" ADD CONSTRAINT "earning_days_account_id_ledger_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connected_accounts" ADD CONSTRAINT "connected_accounts_ledger_account_id_ledger_accounts_id_fk" FOREIGN KEY ("ledger_account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_methods" ADD CONSTRAINT "payout_methods_ledger_account_id_ledger_accounts_id_fk" FOREIGN KEY ("ledger_account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_ledger_account_id_ledger_accounts_id_fk" FOREIGN KEY ("ledger_account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_connected_account_id_connected_accounts_id_fk" FOREIGN KEY ("connected_account_id") REFERENCES "public"."connected_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "course_day_changes_course" ON "course_day_changes" USING btree ("course_id");--> statement-breakpoint
CREATE INDEX "learner_days_user" ON "learner_days" USING btree ("user_id","course_id","day" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "lesson_counts_course" ON "lesson_counts" USING btree ("course_id");--> statement-breakpoint
CREATE INDEX "refund_requests_payment" ON "refund_requests" USING btree ("payment_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "refund_requests_person" ON "refund_requests" USING btree ("requested_by");--> statement-breakpoint
CREATE UNIQUE INDEX "refund_requests_waiting" ON "refund_requests" USING btree ("payment_id") WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX "payouts_account_newest" ON "payouts" USING btree ("ledger_account_id","requested_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_open" ON "payouts" USING btree ("ledger_account_id") WHERE status in ('requested', 'in_transit');--> statement-breakpoint
CREATE INDEX "payouts_checked" ON "payouts" USING btree ("checked_at") WHERE status in ('requested', 'in_transit');--> statement-breakpoint
CREATE INDEX "ledger_transactions_payout" ON "ledger_transactions" USING btree ("payout_id") WHERE payout_id is not null;--> statement-breakpoint
CREATE INDEX "payments_creator_available" ON "payments" USING btree ("creator_account_id","available_at","id");--> statement-breakpoint
INSERT INTO "ledger_accounts" ("kind") VALUES ('paypal'), ('given_up');--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT ledger_transactions_subject CHECK (
  CASE WHEN kind IN ('payout', 'payout_failed') THEN payout_id IS NOT NULL AND payment_id IS NULL
       WHEN kind = 'given_up' THEN payout_id IS NULL AND payment_id IS NULL
       ELSE payment_id IS NOT NULL AND payout_id IS NULL END);--> statement-breakpoint
CREATE FUNCTION utc_day(at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (at AT TIME ZONE 'UTC')::date;--> statement-breakpoint
CREATE VIEW creator_entry_days AS
SELECT e.id AS entry_id, e.account_id, utc_day(t.created_at) AS day, e.currency,
       coalesce(p.course_id, '00000000-0000-0000-0000-000000000000') AS course_id, e.what, e.amount
  FROM ledger_entries e
  JOIN ledger_accounts a ON a.id = e.account_id AND a.kind = 'creator'
  JOIN ledger_transactions t ON t.id = e.transaction_id
  LEFT JOIN payments p ON p.id = t.payment_id;--> statement-breakpoint
CREATE FUNCTION add_to_earning_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO earning_days AS d (account_id, day, currency, course_id, sales, gross, platform_fee, provider_fee,
                                 refunded, disputed, dispute_fee, paid_out, payout_fee, given_up)
  SELECT c.account_id, c.day, c.currency, c.course_id,
         count(*) FILTER (WHERE c.what = 'gross'),
         coalesce(-sum(c.amount) FILTER (WHERE c.what = 'gross'), 0),
         coalesce(sum(c.amount) FILTER (WHERE c.what = 'platform_fee'), 0),
         coalesce(sum(c.amount) FILTER (WHERE c.what = 'provider_fee'), 0),
         coalesce(sum(c.amount) FILTER (WHERE c.what = 'refund'), 0),
         coalesce(sum(c.amount) FILTER (WHERE c.what = 'dispute'), 0),
         coalesce(sum(c.amount) FILTER (WHERE c.what = 'dispute_fee'), 0),
         coalesce(sum(c.amount) FILTER (WHERE c.what = 'payout'), 0),
         coalesce(sum(c.amount) FILTER (WHERE c.what = 'payout_fee'), 0),
         coalesce(sum(c.amount) FILTER (WHERE c.what = 'given_up'), 0)
    FROM added n JOIN creator_entry_days c ON c.entry_id = n.id
   GROUP BY 1, 2, 3, 4
   ORDER BY 1, 2, 3, 4
  ON CONFLICT (account_id, day, currency, course_id) DO UPDATE
     SET sales = d.sales + excluded.sales,
         gross = d.gross + excluded.gross,
         platform_fee = d.platform_fee + excluded.platform_fee,
         provider_fee = d.provider_fee + excluded.provider_fee,
         refunded = d.refunded + excluded.refunded,
         disputed = d.disputed + excluded.disputed,
         dispute_fee = d.dispute_fee + excluded.dispute_fee,
         paid_out = d.paid_out + excluded.paid_out,
         payout_fee = d.payout_fee + excluded.payout_fee,
         given_up = d.given_up + excluded.given_up;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER ledger_entries_earning_days AFTER INSERT ON "ledger_entries" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_to_earning_days();--> statement-breakpoint
INSERT INTO earning_days (account_id, day, currency, course_id, sales, gross, platform_fee, provider_fee, refunded, disputed, dispute_fee)
SELECT account_id, day, currency, course_id,
       count(*) FILTER (WHERE what = 'gross'),
       coalesce(-sum(amount) FILTER (WHERE what = 'gross'), 0),
       coalesce(sum(amount) FILTER (WHERE what = 'platform_fee'), 0),
       coalesce(sum(amount) FILTER (WHERE what = 'provider_fee'), 0),
       coalesce(sum(amount) FILTER (WHERE what = 'refund'), 0),
       coalesce(sum(amount) FILTER (WHERE what = 'dispute'), 0),
       coalesce(sum(amount) FILTER (WHERE what = 'dispute_fee'), 0)
  FROM creator_entry_days GROUP BY 1, 2, 3, 4;--> statement-breakpoint
CREATE FUNCTION note_course_day(course uuid, at timestamptz, person uuid, metric text, amount integer, lesson uuid DEFAULT NULL) RETURNS void LANGUAGE sql AS $$
  INSERT INTO course_day_changes (course_id, day, metric, lesson_id, amount)
  SELECT c.id, utc_day(at), metric, lesson, amount FROM courses c
   WHERE c.id = course AND (person IS NULL OR c.instructor_id <> person)
$$;--> statement-breakpoint
CREATE FUNCTION note_learner_day(course uuid, at timestamptz, person uuid) RETURNS void LANGUAGE sql AS $$
  INSERT INTO learner_days (course_id, day, user_id)
  SELECT c.id, utc_day(at), person FROM courses c WHERE c.id = course AND c.instructor_id <> person
  ON CONFLICT DO NOTHING
$$;--> statement-breakpoint
CREATE FUNCTION count_student_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN PERFORM note_course_day(NEW.course_id, NEW.enrolled_at, NEW.user_id, 'students', 1);
  ELSE PERFORM note_course_day(OLD.course_id, OLD.enrolled_at, OLD.user_id, 'students', -1); END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER enrollments_course_day AFTER INSERT OR DELETE ON "enrollments" FOR EACH ROW EXECUTE FUNCTION count_student_day();--> statement-breakpoint
CREATE FUNCTION count_completion_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM note_course_day(NEW.course_id, NEW.completed_at, NEW.user_id, 'completions', 1, NEW.lesson_id);
    PERFORM note_learner_day(NEW.course_id, NEW.completed_at, NEW.user_id);
  ELSE PERFORM note_course_day(OLD.course_id, OLD.completed_at, OLD.user_id, 'completions', -1, OLD.lesson_id); END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER lesson_completions_course_day AFTER INSERT OR DELETE ON "lesson_completions" FOR EACH ROW EXECUTE FUNCTION count_completion_day();--> statement-breakpoint
CREATE FUNCTION count_started_lesson() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM note_course_day(NEW.course_id, NEW.updated_at, NEW.user_id, 'started', 1, NEW.lesson_id);
  ELSE PERFORM note_course_day(OLD.course_id, OLD.updated_at, OLD.user_id, 'started', -1, OLD.lesson_id); END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER lesson_positions_started AFTER INSERT OR DELETE ON "lesson_positions" FOR EACH ROW EXECUTE FUNCTION count_started_lesson();--> statement-breakpoint
CREATE FUNCTION note_watching_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_learner_day(NEW.course_id, NEW.updated_at, NEW.user_id);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER lesson_positions_watched AFTER INSERT ON "lesson_positions" FOR EACH ROW EXECUTE FUNCTION note_watching_day();--> statement-breakpoint
CREATE TRIGGER lesson_positions_watched_again AFTER UPDATE ON "lesson_positions" FOR EACH ROW WHEN (utc_day(OLD.updated_at) <> utc_day(NEW.updated_at)) EXECUTE FUNCTION note_watching_day();--> statement-breakpoint
CREATE FUNCTION count_writing_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.status = 'published' THEN
    PERFORM note_course_day(OLD.course_id, OLD.created_at, NULL, TG_TABLE_NAME, -1);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status = 'published' THEN
    PERFORM note_course_day(NEW.course_id, NEW.created_at, NULL, TG_TABLE_NAME, 1);
    IF TG_OP = 'INSERT' AND NEW.user_id IS NOT NULL THEN
      PERFORM note_learner_day(NEW.course_id, NEW.created_at, NEW.user_id);
    END IF;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER posts_course_day AFTER INSERT OR DELETE OR UPDATE OF status, created_at ON "posts" FOR EACH ROW EXECUTE FUNCTION count_writing_day();--> statement-breakpoint
CREATE TRIGGER comments_course_day AFTER INSERT OR DELETE OR UPDATE OF status, created_at ON "comments" FOR EACH ROW EXECUTE FUNCTION count_writing_day();--> statement-breakpoint
CREATE FUNCTION count_active_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO course_day_changes (course_id, day, metric, amount) VALUES (NEW.course_id, NEW.day, 'active', 1);
  ELSE
    INSERT INTO course_day_changes (course_id, day, metric, amount)
    SELECT id, OLD.day, 'active', -1 FROM courses WHERE id = OLD.course_id;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER learner_days_course_day AFTER INSERT OR DELETE ON "learner_days" FOR EACH ROW EXECUTE FUNCTION count_active_day();--> statement-breakpoint
INSERT INTO learner_days (course_id, day, user_id)
SELECT DISTINCT s.course_id, utc_day(s.at), s.user_id
  FROM (SELECT course_id, completed_at AS at, user_id FROM lesson_completions
        UNION ALL SELECT course_id, updated_at, user_id FROM lesson_positions
        UNION ALL SELECT course_id, created_at, user_id FROM posts WHERE status = 'published'
        UNION ALL SELECT course_id, created_at, user_id FROM comments WHERE status = 'published' AND user_id IS NOT NULL) s
  JOIN courses c ON c.id = s.course_id AND c.instructor_id <> s.user_id;--> statement-breakpoint
INSERT INTO course_day_changes (course_id, day, metric, lesson_id, amount)
SELECT s.course_id, s.day, s.metric, s.lesson_id, count(*)
  FROM (SELECT e.course_id, utc_day(e.enrolled_at) AS day, 'students' AS metric, NULL::uuid AS lesson_id, e.user_id FROM enrollments e
        UNION ALL SELECT d.course_id, utc_day(d.completed_at), 'completions', d.lesson_id, d.user_id FROM lesson_completions d
        UNION ALL SELECT w.course_id, utc_day(w.updated_at), 'started', w.lesson_id, w.user_id FROM lesson_positions w
        UNION ALL SELECT p.course_id, utc_day(p.created_at), 'posts', NULL, NULL FROM posts p WHERE p.status = 'published'
        UNION ALL SELECT k.course_id, utc_day(k.created_at), 'comments', NULL, NULL FROM comments k WHERE k.status = 'published') s
  JOIN courses c ON c.id = s.course_id AND (s.user_id IS NULL OR c.instructor_id <> s.user_id)
 GROUP BY 1, 2, 3, 4;
