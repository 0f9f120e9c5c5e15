#include <gtest/gtest.h>

#include "unit/catalogue/catalogue_data.h"

namespace kvseats {
namespace {

TEST(CatalogueRead, RefusesWhatIsNoCatalogue) {
  for (const std::string_view bytes : {"", "\n", "{}", "kvseats-catalogue\t0\t2026-01-01\n",
                                       "kvseats-catalogue\t1\t2026-01-01\n"}) {
    const auto read = catalogue::read_catalogue(bytes);
    ASSERT_FALSE(read.has_value()) << bytes;
    EXPECT_EQ(read.error().code, "E-CATALOGUE");
  }
  const auto newer = catalogue::read_catalogue("kvseats-catalogue\t2\t2027-01-01\n");
  ASSERT_FALSE(newer.has_value());
  EXPECT_EQ(newer.error().code, "E-CATALOGUE-VERSION");
}

TEST(CatalogueRead, NamesTheDamagedLine) {
  const std::string head = "kvseats-catalogue\t1\t2026-01-01\n";
  for (const char* line : {"g\tfull\t32\t8\t128\t128", "x\ty", "m", "m\ta\tb\tc\td\tmany",
                           "p\ts\tn\tq\na\tname", "d\th\tH\tH\tV\t99999999999999999999999"}) {
    const auto read = catalogue::read_catalogue(head + line + "\n");
    ASSERT_FALSE(read.has_value()) << line;
    EXPECT_EQ(read.error().code, "E-CATALOGUE") << line;
    EXPECT_EQ(read.error().where.substr(0, 5), "line ") << line;
  }
}

TEST(CatalogueRead, NoCutCrashes) {
  const std::string_view bytes = embedded::catalogue("catalogue.txt");
  ASSERT_GT(bytes.size(), 10000u);
  for (std::size_t i = 0; i < 200; ++i) {
    (void)catalogue::read_catalogue(bytes.substr(0, bytes.size() * i / 200 + i % 7));
  }
}

TEST(CatalogueRead, NoChangedByteCrashes) {
  std::string bytes(embedded::catalogue("catalogue.txt").substr(0, 6000));
  for (std::size_t i = 0; i < bytes.size(); i += 13) {
    const char was = bytes[i];
    for (const char c : {'\t', '\n', '9', '*', '\xff'}) {
      bytes[i] = c;
      (void)catalogue::read_catalogue(bytes);
    }
    bytes[i] = was;
  }
}

TEST(CatalogueRead, PresetsAreQueries) {
  for (const catalogue::Preset& preset : shipped_catalogue().presets) {
    EXPECT_NE(preset.query.find("model="), std::string::npos) << preset.slug;
    EXPECT_FALSE(preset.name.empty()) << preset.slug;
  }
}

}  // namespace
}  // namespace kvseats
