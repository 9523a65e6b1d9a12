from neonize._protobuf import message

DeviceProps = message("DeviceProps", os="", platformType=0)
DeviceProps.CHROME = 1
