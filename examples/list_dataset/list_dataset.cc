#include <cstdio>
#include "core/json.h"
int main() { std::printf("%d\n", icefield::core::Json::parse("1").has_value()); }
