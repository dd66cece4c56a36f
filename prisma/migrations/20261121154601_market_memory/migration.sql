-- CreateTable
CREATE TABLE "saved_search" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "search" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_search_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "price_sample" (
    "gpu_translit_name" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "low_micro" BIGINT NOT NULL,
    "median_micro" BIGINT NOT NULL,
    "offers_count" INTEGER NOT NULL,

    CONSTRAINT "price_sample_pkey" PRIMARY KEY ("gpu_translit_name","at")
);

-- CreateIndex
CREATE UNIQUE INDEX "saved_search_user_id_name_key" ON "saved_search"("user_id", "name");

-- CreateIndex
CREATE INDEX "price_sample_at_idx" ON "price_sample"("at");

-- AddForeignKey
ALTER TABLE "saved_search" ADD CONSTRAINT "saved_search_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "price_sample" ADD CONSTRAINT "price_sample_gpu_translit_name_fkey" FOREIGN KEY ("gpu_translit_name") REFERENCES "gpu"("translit_name") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "saved_search"
  ADD CONSTRAINT "saved_search_name_length" CHECK (char_length("name") BETWEEN 1 AND 100),
  ADD CONSTRAINT "saved_search_is_object" CHECK (jsonb_typeof("search") = 'object');

ALTER TABLE "price_sample"
  ADD CONSTRAINT "price_sample_whole_hour" CHECK (date_trunc('hour', "at", 'UTC') = "at"),
  ADD CONSTRAINT "price_sample_low_positive" CHECK ("low_micro" > 0),
  ADD CONSTRAINT "price_sample_median_not_below_low" CHECK ("median_micro" >= "low_micro"),
  ADD CONSTRAINT "price_sample_offers_positive" CHECK ("offers_count" > 0);
