#include "import/safetensors.h"

#include <gtest/gtest.h>

namespace kvseats {
namespace {

std::string with_length(const std::string& header) {
  std::string bytes;
  for (int i = 0; i < 8; ++i)
    bytes += static_cast<char>((std::uint64_t{header.size()} >> (8 * i)) & 0xFF);
  return bytes + header;
}

const std::string kHeader =
    "{\"__metadata__\":{\"format\":\"pt\"},"
    "\"a\":{\"dtype\":\"BF16\",\"shape\":[4,8],\"data_offsets\":[0,64]},"
    "\"b\":{\"dtype\":\"F8_E4M3\",\"shape\":[16],\"data_offsets\":[64,80]},"
    "\"c\":{\"dtype\":\"BF16\",\"shape\":[],\"data_offsets\":[80,82]}}";

TEST(Safetensors, AddsTensorsUpByType) {
  const auto read = import::read_safetensors(with_length(kHeader) + "data");
  ASSERT_TRUE(read.has_value());
  ASSERT_TRUE(read->checkpoint.has_value());
  EXPECT_EQ(read->checkpoint->bytes, units::bytes(82));
  EXPECT_EQ(read->checkpoint->tensors, 3u);
  ASSERT_EQ(read->checkpoint->parts.size(), 2u);
  EXPECT_EQ(read->checkpoint->parts[0].dtype, "BF16");
  EXPECT_EQ(read->checkpoint->parts[0].numbers, units::params(33));
  EXPECT_EQ(read->checkpoint->parts[1].bytes, units::bytes(16));
}

TEST(Safetensors, AsksForExactlyWhatItNeeds) {
  const std::string bytes = with_length(kHeader);
  EXPECT_EQ(import::read_safetensors("")->need, 8u);
  EXPECT_EQ(import::read_safetensors(bytes.substr(0, 8))->need, bytes.size());
}

TEST(Safetensors, RefusesWhatIsNone) {
  for (const std::string& bytes :
       {std::string("this is no model at all"), std::string(8, '\0'), with_length("[[]]"),
        with_length("{\"a\":{\"dtype\":\"BF16\"}}"), with_length("not json"),
        with_length("{\"a\":{\"dtype\":\"BF16\",\"shape\":[1],\"data_offsets\":[9,2]}}"),
        // 4 × 8 numbers of 2 bytes in 10 bytes, and of one byte in 64.
        with_length("{\"a\":{\"dtype\":\"BF16\",\"shape\":[4,8],\"data_offsets\":[0,10]}}"),
        with_length("{\"a\":{\"dtype\":\"F8_E4M3\",\"shape\":[4,8],\"data_offsets\":[0,64]}}")}) {
    const auto read = import::read_safetensors(bytes);
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, "E-NOT-SAFETENSORS");
  }
}

TEST(Safetensors, AnIndexGivesTheTotal) {
  const auto index = import::read_safetensors_index(
      "{\"metadata\":{\"total_size\":16060522496},\"weight_map\":{\"a\":\"x\",\"b\":\"y\"}}");
  ASSERT_TRUE(index.has_value());
  EXPECT_EQ(index->bytes, units::bytes(16060522496));  // meta-llama/Llama-3.1-8B
  EXPECT_EQ(index->tensors, 2u);
  EXPECT_EQ(import::read_safetensors_index("{}").error().code, "E-MISSING");
}

TEST(Safetensors, NoCutCrashes) {
  const std::string bytes = with_length(kHeader);
  for (std::size_t i = 0; i <= bytes.size(); ++i) {
    (void)import::read_safetensors(std::string_view(bytes).substr(0, i));
    (void)import::read_safetensors_index(std::string_view(kHeader).substr(0, i));
  }
}

}  // namespace
}  // namespace kvseats
