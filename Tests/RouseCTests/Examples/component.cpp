// A component in C++ that records: a producer for each thread, closed with its scope.
//
//     c++ -std=c++17 component.cpp $(pkg-config --cflags --libs rouse) \
//       -Wl,-rpath,$(pkg-config --variable=prefix rouse)/lib -o component && ./component TRACE
#include <rouse.h>

#include <stdexcept>
#include <string>

static void check(int32_t code) {
  if (code != ROUSE_OK && code != ROUSE_NOT_WRITTEN)
    throw std::runtime_error(std::string(rouse_text(code)) + ": " + rouse_last_error());
}

class Recorder {
 public:
  explicit Recorder(const char *trace) {
    rouse_options_t options{};
    options.size = sizeof options;
    options.trace = trace;
    check(rouse_open(&options, &handle));
  }
  Recorder(const Recorder &) = delete;
  ~Recorder() { rouse_close(handle); }
  rouse_type_t type(const std::string &name) const {
    rouse_type_t type;
    check(rouse_type(handle, name.c_str(), &type));
    return type;
  }
  rouse_source_t source(const std::string &name) const {
    rouse_source_t source;
    check(rouse_source(handle, name.c_str(), &source));
    return source;
  }
  rouse_recorder_t handle = 0;
};

class Producer {
 public:
  explicit Producer(const Recorder &recorder) { check(rouse_producer_open(recorder.handle, &handle)); }
  Producer(const Producer &) = delete;
  ~Producer() { rouse_producer_close(handle); }
  void save(rouse_type_t type, rouse_source_t source) { check(rouse_save_now(handle, type, source)); }

 private:
  rouse_producer_t handle = 0;
};

int main(int count, char **arguments) {
  if (count != 2) return 64;
  Recorder recorder(arguments[1]);
  const auto type = recorder.type("HKWorkoutTypeIdentifier");
  const auto source = recorder.source("Watch");
  Producer producer(recorder);
  for (int number = 0; number < 1000; number++) producer.save(type, source);
}
