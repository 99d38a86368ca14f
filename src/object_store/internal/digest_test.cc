#include "object_store/internal/digest.h"

#include <string>

#include <gtest/gtest.h>

namespace icefield::object_store {
namespace {

TEST(Digest, sha256_of_the_standard_s_examples) {  // FIPS 180-4
  EXPECT_EQ(hex(sha256({})), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256(core::as_bytes("abc"))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Digest, keyed_digests_of_rfc_4231) {
  const auto keyed = [](const std::string& key, std::string_view message) {
    return hex(hmac_sha256(core::as_bytes(key), message));
  };
  EXPECT_EQ(keyed(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(keyed("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(keyed(std::string(131, '\xaa'),  // longer than a block
                  "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

}  // namespace
}  // namespace icefield::object_store
